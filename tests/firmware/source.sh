# source.sh PACKAGE DIRECTORY: unpack Debian's source package there, once, with Debian's patches, and
# print the path. Nothing is installed and no root rights are needed: apt works in a directory of its
# own, whose list has a line deb-src for the mirror and the release of this machine. Messages go to
# stderr.
set -eu
package=$1 dir=$2
apt=$dir.apt
if [ ! -f "$dir/.unpacked" ]; then
    for tool in apt-get dpkg-source; do
        command -v $tool >/dev/null || { echo "$tool not found (package dpkg-dev)" >&2; exit 1; }
    done
    rm -rf "$dir" "$apt"
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/etc/none"
    apt=$(cd "$apt" && pwd)
    trap 'rm -rf "$apt"' EXIT
    : >"$apt/status"
    # shellcheck disable=SC2016
    mirror=${DEBIAN_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' | grep '/debian/*$' | head -n 1)}
    [ "$mirror" ] || { echo "apt has no lists of packages: run apt-get update" >&2; exit 1; }
    # shellcheck disable=SC1091
    suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
    keys=/usr/share/keyrings/debian-archive-keyring.gpg
    echo "deb-src [signed-by=$keys] $mirror $suite main" >"$apt/etc/sources.list"
    cat >"$apt/apt.conf" <<END
Dir "/";
Dir::Etc "$apt/etc";
Dir::Etc::sourcelist "$apt/etc/sources.list";
Dir::Etc::parts "$apt/etc/none";
Dir::Etc::preferencesparts "$apt/etc/none";
Dir::State "$apt";
Dir::State::status "$apt/status";
Dir::Cache "$apt/cache";
APT::Sandbox::User "";
Acquire::Languages "none";
Acquire::Retries "3";
Debug::NoLocking "true";
END
    apt-config dump Acquire | grep -e '^Acquire::.*[Pp]roxy' -e '^Acquire::Check-' >>"$apt/apt.conf" || true
    export APT_CONFIG="$apt/apt.conf"
    apt-get -qq update >&2
    (cd "$apt/cache" && apt-get -qq --download-only source "$package" >&2)
    dpkg-source --no-check -x "$apt"/cache/*.dsc "$dir" >/dev/null 2>"$apt/log" ||
        { cat "$apt/log" >&2; exit 1; }
    rm -f "$dir"/../"$package"_*
    touch "$dir/.unpacked"
fi
echo "$dir"
