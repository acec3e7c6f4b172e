#!/bin/sh
# Installs shipx @VERSION@ for one user: checks the sum of the archive for this computer, and unpacks it.
#
#   sh install.sh [FOLDER]      FOLDER is ~/.local: the program is then ~/.local/bin/shipx
#
# The archive and SHA256SUMS come from the folder of this script where they lie there, and otherwise from
# SHIPX_DOWNLOAD_URL (@URL@).
set -eu

version=@VERSION@
url=${SHIPX_DOWNLOAD_URL:-@URL@}
folder=${1:-$HOME/.local}

fail() {
  echo "install.sh: $1" >&2
  exit 1
}

case "$(uname -s) $(uname -m)" in
  'Linux x86_64') target=linux-x64 ;;
  'Linux aarch64') target=linux-arm64 ;;
  'Darwin arm64') target=darwin-arm64 ;;
  *) fail "there is no program for $(uname -s) $(uname -m); npm installs shipx wherever Node runs" ;;
esac
name=shipx-$version-$target
archive=$name.tar.gz

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# Puts a file into $work.
fetch() {
  if [ -f "$here/$1" ]; then
    cp "$here/$1" "$work/$1"
  elif command -v curl >/dev/null; then
    curl -fsSL --proto '=https' -o "$work/$1" "$url/$1" || fail "$url/$1 cannot be downloaded"
  elif command -v wget >/dev/null; then
    wget -q -O "$work/$1" "$url/$1" || fail "$url/$1 cannot be downloaded"
  else
    fail "$1 is not beside this script, and neither curl nor wget is here to download it"
  fi
}

fetch SHA256SUMS
fetch "$archive"

wanted=$(awk -v file="$archive" '$2 == file { print $1 }' "$work/SHA256SUMS")
[ -n "$wanted" ] || fail "SHA256SUMS does not name $archive"
if command -v sha256sum >/dev/null; then
  found=$(sha256sum "$work/$archive")
elif command -v shasum >/dev/null; then
  found=$(shasum -a 256 "$work/$archive")
else
  fail 'neither sha256sum nor shasum is here to check the archive'
fi
[ "${found%% *}" = "$wanted" ] || fail "$archive has another sum than SHA256SUMS says: nothing is installed"

tar -xzf "$work/$archive" -C "$work"
"$work/$name/bin/shipx" --version >/dev/null || fail 'the program does not start on this computer: nothing is installed'
mkdir -p "$folder/bin" "$folder/share" || fail "nothing can be written in $folder"
cp -R "$work/$name/share/." "$folder/share/"
# A program that runs keeps its file: the new one takes its name.
cp "$work/$name/bin/shipx" "$folder/bin/.shipx.new"
mv -f "$folder/bin/.shipx.new" "$folder/bin/shipx"

echo "shipx $version is in $folder/bin"
case ":$PATH:" in
  *":$folder/bin:"*) ;;
  *) echo "Add it to your PATH: export PATH=\"$folder/bin:\$PATH\"" ;;
esac
