#!/bin/sh
# Puts Helix into the folder FOLDER, to be run as FOLDER/hx:
#
#     sh tests/editors/fetch_helix.sh FOLDER
#
# Debian has Helix from 13 on, linked with a newer C library than Debian 12's. Its package and that library are unpacked
# side by side, and the library's own loader starts the program: no chroot and no root are needed, and what Helix starts
# runs with the system's library as ever. Packages come from where this machine's apt takes its own, and apt checks them.
# Where that is not to be had, a reason is printed, and the tests that need it are skipped.
set -eu

release=trixie
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

skip() {
    echo "No Helix: $1. The tests that need it are skipped."
    exit 0
}

mkdir -p "$1"
folder=$(cd "$1" && pwd)
if command -v hx >/dev/null; then
    ln -sf "$(command -v hx)" "$folder/hx"
    exit 0
fi
command -v apt-get >/dev/null && command -v dpkg >/dev/null || skip 'there is neither hx nor apt-get here'
[ -e "$keyring" ] || skip "the keys of Debian's archive ($keyring) are not here"
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' |
    sort -u | head -n 1)
[ -n "$mirror" ] || skip "apt knows no mirror of Debian's archive"

echo "Fetching Helix into $1 …"
mkdir -p "$folder/lists/partial" "$folder/archives/partial"
echo "deb [signed-by=$keyring] $mirror $release main" >"$folder/sources.list"
apt() {
    apt-get -qq \
        -o Dir::Etc::SourceList="$folder/sources.list" -o Dir::Etc::SourceParts=/dev/null \
        -o Dir::State::Lists="$folder/lists" -o Dir::Cache::Archives="$folder/archives" \
        -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= \
        -o Acquire::Languages=none -o APT::Sandbox::User= "$@"
}
cd "$folder"
apt update && apt download hx libc6 libgcc-s1 || skip "$release cannot be read from this machine's mirror"
for package in ./*.deb; do
    dpkg -x "$package" root
done
rm -rf lists archives sources.list ./*.deb
# A path with a loader in it differs by architecture; there is one.
loader=$(echo root/usr/lib/*/ld-linux*)
cat >hx.new <<END
#!/bin/sh
HELIX_RUNTIME="\${HELIX_RUNTIME:-$folder/root/usr/lib/hx/runtime}"
export HELIX_RUNTIME
exec "$folder/$loader" --library-path "$folder/$(dirname "$loader")" "$folder/root/usr/bin/hx" "\$@"
END
chmod +x hx.new
mv hx.new hx
