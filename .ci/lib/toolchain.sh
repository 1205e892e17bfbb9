# shellcheck shell=bash
# What ./dev brings into .toolchain/: Emscripten on Debian 12, Dear ImGui and ImPlot, the browser tests' venv.

# May be a link to another checkout's, or a folder of such links.
TOOLCHAIN=$(readlink -m "$ROOT/.toolchain")

# ready NAME KEY: whether .toolchain/NAME is complete for exactly this recipe. Paths are baked in, so the folder's
# place is part of the key.
ready() {
  local place
  place=$(dirname "$(readlink -m "$TOOLCHAIN/$1")")
  [ "$(cat "$TOOLCHAIN/$1/.made-of" 2>/dev/null)" = "$2 in $place" ]
}
mark_ready() { echo "$3 in $TOOLCHAIN" >"$2/.made-of" && rm -rf "${TOOLCHAIN:?}/$1" && mv "$2" "$TOOLCHAIN/$1"; }

emscripten_version() {
  local version
  version=$(tr -d '"' <"$1/emscripten-version.txt" 2>/dev/null) || return 1
  echo "${version%%[!0-9.]*}"
}

# The folder of an Emscripten that is new enough and already there.
usable_emcc() {
  local folder
  for folder in "${XUANKA_EMSCRIPTEN_ROOT:-}" "${EMSDK:+$EMSDK/upstream/emscripten}" \
    "$(have emcc && dirname "$(readlink -f "$(command -v emcc)")")"; do
    [ -f "$folder/cmake/Modules/Platform/Emscripten.cmake" ] &&
      at_least "$(emscripten_version "$folder")" "$MIN_EMSCRIPTEN" && echo "$folder" && return
  done
  return 1
}

# Sets XUANKA_EMSCRIPTEN_ROOT, which the CMake toolchain file reads.
need_emscripten() {
  if ! XUANKA_EMSCRIPTEN_ROOT=$(usable_emcc); then
    case "$(system_name)" in
      debian12)
        bring_emscripten
        XUANKA_EMSCRIPTEN_ROOT=$TOOLCHAIN/emscripten
        ;;
      *) die "no Emscripten >= $MIN_EMSCRIPTEN found: put emcc on PATH or set EMSDK" ;;
    esac
  fi
  export XUANKA_EMSCRIPTEN_ROOT
}

# apt-get with a state of its own, which sees the suite that Emscripten comes from: the system's sources, lists
# and packages stay as they are.
private_apt() {
  local state=$TOOLCHAIN/apt tool=$1
  shift
  "$tool" -q -o "Dir::State::lists=$state/lists" -o "Dir::Cache=$state/cache" -o "Dir::State::status=$state/status" \
    -o "Dir::Etc::sourcelist=$state/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::Etc::preferencesparts=/dev/null \
    -o Dir::Etc::preferences=/dev/null -o "APT::Sandbox::User=$(id -un)" "$@"
}

# The mirror that the system itself uses for Debian's main archive.
own_mirror() {
  # shellcheck disable=SC2016
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' "Codename: bookworm" 'Component: main' |
    head -n 1
}

download_debs() {
  local mirror pin name version hash got
  mirror=$(own_mirror)
  [ -n "$mirror" ] || die "apt knows no Debian archive: run apt-get update, then try again"
  mkdir -p "$TOOLCHAIN"/apt/{lists,cache/archives}/partial "$1"
  : >"$TOOLCHAIN/apt/status"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $EMSCRIPTEN_SUITE main" \
    >"$TOOLCHAIN/apt/sources.list"
  private_apt apt-get update >&2
  for pin in "${EMSCRIPTEN_DEBS[@]}"; do
    read -r name version hash <<<"$pin"
    if (cd "$1" && private_apt apt-get download "$name=$version" >&2); then
      got=$(sha256sum "$1/${name}"_*.deb | cut -d ' ' -f 1)
      [ "$got" = "$hash" ] || die "$name $version: sha256 $got instead of $hash"
    else
      # Debian replaced it by a point release; what comes instead is still signed by the archive.
      say "$name $version is gone from the archive; taking the one that is there now"
      (cd "$1" && private_apt apt-get download "$name" >&2) || die "cannot download $name from suite $EMSCRIPTEN_SUITE"
    fi
  done
}

# Emscripten's scripts and libraries from Debian 13, its LLVM from Debian 12, and binaryen's programs run with the
# C library they were built for, out of the same folder.
bring_emscripten() {
  local key new debs name program
  key=$(printf '%s\n' "${EMSCRIPTEN_DEBS[@]}" "$(declare -f bring_emscripten)" | sha256sum)
  ready emscripten "$key" && return
  say "bringing Emscripten into .toolchain/emscripten"
  new=$TOOLCHAIN/emscripten.new debs=$TOOLCHAIN/debs
  rm -rf "$new" "$debs"
  mkdir -p "$new/runtime" "$new/binaryen/bin"
  download_debs "$debs"
  # Of 1.6 GB only what a single-threaded module can need.
  dpkg --fsys-tarfile "$debs"/emscripten_*.deb | tar -x -C "$new" --strip-components=4 \
    --exclude='*/emscripten/test' --exclude='*/wasm64-emscripten' --exclude='*/wasm32-emscripten/pic' \
    --exclude='*/lto-pic' --exclude='*-ww*.a' --exclude='*-mt*.a' --exclude='*asan*.a' --exclude='*wasmfs*.a' \
    --exclude='*webgpu*.a' ./usr/share/emscripten
  for name in binaryen libc6 libstdc++6 libgcc-s1; do dpkg -x "$debs/${name}"_*.deb "$new/runtime"; done
  for program in "$new"/runtime/usr/bin/wasm*; do
    name=$(basename "$program")
    cat >"$new/binaryen/bin/$name" <<WRAPPER
#!/bin/sh
root=$TOOLCHAIN/emscripten/runtime/usr
lib=\$root/lib/$(uname -m)-linux-gnu
exec "\$lib"/ld-linux-*.so.* --library-path "\$lib" "\$root/bin/$name" "\$@"
WRAPPER
    chmod +x "$new/binaryen/bin/$name"
  done
  ln -s /usr/share/nodejs "$new/node_modules"
  cat >"$new/.emscripten" <<CONFIG
LLVM_ROOT = '/usr/bin'
LLVM_ADD_VERSION = '19'
CLANG_ADD_VERSION = '19'
BINARYEN_ROOT = '$TOOLCHAIN/emscripten/binaryen'
NODE_JS = '$(command -v node)'
CACHE = '$TOOLCHAIN/emscripten/cache'
FROZEN_CACHE = True
CONFIG
  mark_ready emscripten "$new" "$key"
  rm -rf "$debs" "$TOOLCHAIN/apt"
}

# A virtual environment with the packages of .ci/requirements.txt.
need_venv() {
  local key
  key=$(sha256sum <"$ROOT/.ci/requirements.txt")
  ready venv "$key" && return
  say "making .toolchain/venv"
  rm -rf "$TOOLCHAIN/venv"
  mkdir -p "$TOOLCHAIN"
  "$PYTHON" -m venv "$TOOLCHAIN/venv"
  "$TOOLCHAIN/venv/bin/pip" install -q --disable-pip-version-check --only-binary :all: --require-hashes \
    -r "$ROOT/.ci/requirements.txt"
  echo "$key in $TOOLCHAIN" >"$TOOLCHAIN/venv/.made-of"
}

# Spark and Dask for ./dev test --all. PySpark comes as a source archive, so what builds it is installed first.
need_cluster() {
  local key list=$ROOT/.ci/requirements-cluster.txt
  key=$(sha256sum <"$list")
  ready venv-cluster "$key" && return
  say "making .toolchain/venv-cluster (400 MB)"
  rm -rf "$TOOLCHAIN/venv-cluster"
  mkdir -p "$TOOLCHAIN"
  "$PYTHON" -m venv "$TOOLCHAIN/venv-cluster"
  local pip=("$TOOLCHAIN/venv-cluster/bin/pip" install -q --disable-pip-version-check --require-hashes)
  "${pip[@]}" --only-binary :all: -r <(awk '/^[a-z]/ { wanted = /^(setuptools|wheel|packaging)==/ } wanted' "$list")
  "${pip[@]}" --no-build-isolation --prefer-binary -r "$list"
  echo "$key in $TOOLCHAIN" >"$TOOLCHAIN/venv-cluster/.made-of"
}

# Dear ImGui, ImPlot and the Dear ImGui Test Engine. Only the archive is wanted, but pip asks a source archive's
# build system for its metadata, which would first download CMake: a two-function stand-in answers instead.
need_imgui() {
  local key new pip_dir inside
  key="imgui-bundle $IMGUI_BUNDLE_VERSION $IMGUI_BUNDLE_SHA256"
  ready imgui-bundle "$key" && return
  need_venv
  say "bringing Dear ImGui and ImPlot into .toolchain/imgui-bundle"
  new=$TOOLCHAIN/imgui-bundle.new pip_dir=$TOOLCHAIN/pip
  rm -rf "$new" "$pip_dir"
  mkdir -p "$new" "$pip_dir/scikit_build_core"
  : >"$pip_dir/scikit_build_core/__init__.py"
  cat >"$pip_dir/scikit_build_core/build.py" <<'BACKEND'
import os

def get_requires_for_build_wheel(config_settings=None):
    return []

def prepare_metadata_for_build_wheel(folder, config_settings=None):
    name = "imgui_bundle-VERSION.dist-info"
    os.makedirs(os.path.join(folder, name))
    with open(os.path.join(folder, name, "METADATA"), "w") as file:
        file.write("Metadata-Version: 2.1\nName: imgui-bundle\nVersion: VERSION\n")
    return name
BACKEND
  sed -i "s/VERSION/$IMGUI_BUNDLE_VERSION/g" "$pip_dir/scikit_build_core/build.py"
  echo "imgui-bundle==$IMGUI_BUNDLE_VERSION --hash=sha256:$IMGUI_BUNDLE_SHA256" >"$pip_dir/requirements.txt"
  PYTHONPATH=$pip_dir "$TOOLCHAIN/venv/bin/pip" download -q --disable-pip-version-check --no-deps \
    --no-binary :all: --no-build-isolation --require-hashes -r "$pip_dir/requirements.txt" -d "$pip_dir"
  inside=imgui_bundle-$IMGUI_BUNDLE_VERSION/external
  tar -xzf "$pip_dir/imgui_bundle-$IMGUI_BUNDLE_VERSION.tar.gz" -C "$new" --strip-components=3 \
    "$inside/imgui/imgui" "$inside/implot/implot" "$inside/imgui_test_engine/imgui_test_engine"
  mark_ready imgui-bundle "$new" "$key"
  rm -rf "$pip_dir"
}
