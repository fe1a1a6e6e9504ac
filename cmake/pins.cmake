# Upstream archives for CACHECAST_DEPS_FROM=release. Uploaded release assets where they exist: an archive that a forge
# generates from a tag may change its bytes.
#
# The hashes were compared with those that several distributions publish for the same addresses. The downloads
# themselves have not been exercised where this file was written (no such network there); a wrong hash stops the
# configuration.
set(pin_jansson_url https://github.com/akheron/jansson/releases/download/v2.14/jansson-2.14.tar.gz)
set(pin_jansson_sha256 5798d010e41cf8d76b66236cfb2f2543c8d082181d16bc3085ab49538d4b9929)
# Debian's upstream archive of cmocka 1.1.5 has this hash; it was fetched and verified through apt.
set(pin_cmocka_url https://cmocka.org/files/1.1/cmocka-1.1.5.tar.xz)
set(pin_cmocka_sha256 f0ccd8242d55e2fd74b16ba518359151f6f8383ff8aef4976e48393f77bba8b6)
