# shellcheck shell=bash disable=SC2034
# What ./dev downloads, pinned by version and hash.

# Oldest tools that will do.
MIN_EMSCRIPTEN=3.1.60
MIN_CMAKE=3.25

# Emscripten for Debian 12, from the packages of Debian 13 (suite trixie): name, version, sha256 of the .deb. apt
# checks whatever it downloads against the archive's signed lists as well.
EMSCRIPTEN_SUITE=trixie
EMSCRIPTEN_DEBS=(
  "emscripten 3.1.69+dfsg-3 d2ac788b952c56ab6736b4db2ac0825aa63cfb4c08b8abaefe19e324779d1b2d"
  "binaryen 120-4 47be56009e56170f4338a0154fbff2028bd607bc3c8b6a5414658a985bef6470"
  "libc6 2.41-12+deb13u5 b59b0625cd1a791375d40dab23a4d5d3d0641e3d0a773501becdc3725b7f99cf"
  "libstdc++6 14.2.0-19 ab1fa05837aa7a92aae748fd07a18a35f7d18bb4a71c4724fe2bbf0e32089de0"
  "libgcc-s1 14.2.0-19 3c71917b490d1a17aed43196a2787a256ecf060526cdb20216a74bedc061b150"
)

# Dear ImGui 1.93 and ImPlot 1.1, from the source distribution of imgui-bundle.
IMGUI_BUNDLE_VERSION=1.93.0
IMGUI_BUNDLE_SHA256=10ad1dab8258a6787b4f07bb926b08d0efc648a7906242568c8dd778c5e719bf
