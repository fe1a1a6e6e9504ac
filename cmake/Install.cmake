# The command with its man page, and the library: header, archive, pkg-config file, CMake package.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

if(TARGET cachecast_cli)
    install(TARGETS cachecast_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT command)
endif()
foreach(page cli/cachecast.1 man/cachecast.1)
    if(EXISTS ${PROJECT_SOURCE_DIR}/${page})
        install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT command)
    endif()
endforeach()

# With jansson from source there is no installed jansson that users of the archive could link with.
if(NOT CACHECAST_DEPS_FROM STREQUAL "system")
    return()
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/cachecast)
install(
    TARGETS cachecast_core
    EXPORT cachecastTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
install(FILES core/include/cachecast.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)
install(
    EXPORT cachecastTargets
    NAMESPACE cachecast::
    DESTINATION ${package_dir}
    COMPONENT library)
configure_package_config_file(cmake/cachecastConfig.cmake.in ${PROJECT_BINARY_DIR}/cachecastConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cachecastConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(
    FILES ${PROJECT_BINARY_DIR}/cachecastConfig.cmake ${PROJECT_BINARY_DIR}/cachecastConfigVersion.cmake
    DESTINATION ${package_dir}
    COMPONENT library)

# The pkg-config file finds its prefix from its own place, so that an installed tree may be moved.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
    set(pc_prefix ${CMAKE_INSTALL_PREFIX})
    set(pc_libdir ${CMAKE_INSTALL_FULL_LIBDIR})
    set(pc_includedir ${CMAKE_INSTALL_FULL_INCLUDEDIR})
else()
    file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
    string(REGEX REPLACE "/$" "" up "${up}")
    set(pc_prefix "\${pcfiledir}/${up}")
    set(pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
    set(pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
configure_file(cmake/cachecast.pc.in ${PROJECT_BINARY_DIR}/cachecast.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/cachecast.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)
