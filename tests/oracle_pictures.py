"""Pictures of the oracle: photographs, Netpbm and PNG as arrays, and what halo makes of them."""
import subprocess

import numpy


def halo_run(halo, name, border, picture):
    command = [halo, "-q", "-j", "1", "-f", name, "-b", border]
    done = subprocess.run(command, input=picture, capture_output=True, check=False)
    if done.returncode != 0:
        raise RuntimeError("%s: status %d: %s" % (" ".join(command), done.returncode,
                                                  done.stderr.decode("utf-8", "replace")))
    return done.stdout


def netpbm_read(data):
    """A PPM as halo writes it, without comments."""
    fields = data.split(None, 4)
    width, height, white = (int(field) for field in fields[1:4])
    size = width * height * 3 * (1 if white < 256 else 2)
    kind = numpy.uint8 if white < 256 else ">u2"
    return numpy.frombuffer(data[-size:], kind).reshape(height, width, 3)


def netpbm_write(samples, white):
    kind = numpy.uint8 if white < 256 else ">u2"
    return b"P6\n%d %d\n%d\n" % (samples.shape[1], samples.shape[0], white) \
        + samples.astype(kind).tobytes()


def pictures(path):
    """A photograph, 8 bits deep as it is, and a part of it at 16 bits with something in the low ones."""
    samples = photograph(path)
    yield samples, 255
    part = samples[:96, :128].astype(int)
    noise = numpy.random.default_rng(len(path)).integers(0, 257, part.shape)
    yield numpy.clip(part * 257 + noise - 128, 0, 65535), 65535


def photograph(path):
    """The pixels, by pillow, or by pngtopam where that is missing."""
    try:
        from PIL import Image  # pylint: disable=import-outside-toplevel
        with Image.open(path) as image:
            return numpy.asarray(image.convert("RGB"))
    except ImportError:
        return netpbm_read(subprocess.run(["pngtopam", path], capture_output=True, check=True).stdout)


def png_read(data):
    """The pixels of a PNG that halo wrote; pngtopam where pillow is missing."""
    try:
        import io  # pylint: disable=import-outside-toplevel
        from PIL import Image  # pylint: disable=import-outside-toplevel
        with Image.open(io.BytesIO(data)) as image:
            assert image.mode == "RGB", "the result is no RGB of 8 bits"
            return numpy.asarray(image)
    except ImportError:
        return netpbm_read(subprocess.run(["pngtopam"], input=data, capture_output=True,
                                          check=True).stdout)
