"""NumPy files (format 1.0) without NumPy: what the example scripts read and write."""
import ast
import struct

FORMATS = {"|b1": "?", "|u1": "B", "<i4": "i", "<i8": "q", "<f4": "f", "<f8": "d"}


def flat(data):
    """The scalars of nested lists, in order."""
    return [x for part in data for x in flat(part)] if isinstance(data, list) else [data]


def shape_of(data):
    return (len(data),) + shape_of(data[0]) if isinstance(data, list) and data else \
        (0,) if isinstance(data, list) else ()


def write(path, descr, data):
    shape = "(" + "".join(f"{n}, " for n in shape_of(data)).rstrip() + ")"
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (-(10 + len(header) + 1) % 64) + "\n"
    values = flat(data)
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack(f"<{len(values)}{FORMATS[descr]}", *values))


def read(path):
    """Nested lists of Python numbers."""
    with open(path, "rb") as file:
        raw = file.read()
    end = 10 + struct.unpack("<H", raw[8:10])[0]
    header = ast.literal_eval(raw[10:end].decode())
    letter = FORMATS[header["descr"]]
    values = list(struct.unpack(f"<{(len(raw) - end) // struct.calcsize(letter)}{letter}", raw[end:]))
    for n in reversed(header["shape"][1:]):
        values = [values[i:i + n] for i in range(0, len(values), n)]
    return values if header["shape"] else values[0]


def to_f32(x):
    """The nearest number of single precision."""
    return struct.unpack("<f", struct.pack("<f", x))[0]
