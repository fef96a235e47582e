"""build.py PACKAGE OUTPUT: builds the package and puts it into a folder, with the command that users call.

Intermediate files stay out of the source."""
import pathlib
import shutil
import subprocess
import sys

package, output = (pathlib.Path(a).resolve() for a in sys.argv[1:])
work = output / "work"
shutil.rmtree(work, ignore_errors=True)
shutil.copytree(package, work, ignore=shutil.ignore_patterns("__pycache__", "build", "*.egg-info", "*.so"))
result = subprocess.run([sys.executable, "setup.py", "-q", "build", "--force", "--build-lib", str(output)], cwd=work,
                        capture_output=True, text=True)
if result.returncode:
    sys.exit(result.stdout + result.stderr)
(output / "stamp").write_text("built\n")
