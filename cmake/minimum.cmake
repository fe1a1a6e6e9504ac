# Fails with a CMake that is too old for the project: cmake -P cmake/minimum.cmake
cmake_minimum_required(VERSION 3.25)
