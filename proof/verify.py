#!/usr/bin/env python3
"""Verifies files of a prospect platform, as verify.mjs does. Needs Python 3.9 or later and the command line of OpenSSL 3.

    python3 verify.py [--key <public key in PEM>]... [--withdrawn <public key in PEM>]... <file>...

Exit codes: 0 proven, 1 contradicted (with the place), 2 unreadable (with the line), 3 proven only in part (with what is missing).
The formats are in docs/proof-format.md.
"""

import argparse
import base64
import binascii
import datetime
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile

START = "0" * 64
MAX_LINE_BYTES = 64 * 1024 * 1024
MAX_STATEMENT_BYTES = 16 * 1024 * 1024
PURPOSES = ["prospect-platform registry certificate"]
PROVEN, CONTRADICTED, UNREADABLE, PARTLY = range(4)
WORDS = ["proven", "contradicted", "unreadable", "proven in part"]


class Finding(Exception):
    """Ends the reading of a file: what is wrong in it, and at which line."""

    def __init__(self, code, sentence):
        super().__init__(sentence)
        self.code = code


def contradicted(sentence):
    return Finding(CONTRADICTED, sentence)


def unreadable(sentence):
    return Finding(UNREADABLE, sentence)


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def is_hash(value):
    return isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value) is not None


def is_place(value):
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def canonical(value):
    """RFC 8785 for objects, lists, texts, whole numbers, booleans and null."""
    if isinstance(value, list):
        return "[" + ",".join(canonical(one) for one in value) + "]"
    if not isinstance(value, dict):
        return compact(value)
    names = sorted(value, key=lambda name: name.encode("utf-16-be"))
    return "{" + ",".join(compact(name) + ":" + canonical(value[name]) for name in names) + "}"


def parse(data, line):
    try:
        return json.loads(data)
    except ValueError:
        raise unreadable(f"line {line} is not valid JSON") from None


def time_of(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


# Keys


def openssl(arguments, stdin=b""):
    return subprocess.run(["openssl", *arguments], input=stdin, capture_output=True, check=False)


def read_key(pem, where):
    der = openssl(["pkey", "-pubin", "-outform", "DER"], pem.encode())
    # The fixed beginning of an Ed25519 key in SPKI.
    if der.returncode != 0 or not der.stdout.startswith(bytes.fromhex("302a300506032b6570032100")):
        raise unreadable(f"{where} has no public key of Ed25519")
    return {"pem": pem, "id": sha256(der.stdout)}


def is_signed(pem, data, signature):
    try:
        raw = base64.urlsafe_b64decode(signature + "=" * (-len(signature) % 4))
    except (binascii.Error, ValueError):
        return False
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("key", "data", "signature")]
        for path, content in zip(paths, (pem.encode(), data, raw)):
            with open(path, "wb") as file:
                file.write(content)
        key, signed, kept = paths
        verified = openssl(["pkeyutl", "-verify", "-pubin", "-inkey", key, "-rawin", "-in", signed, "-sigfile", kept])
        return verified.returncode == 0


def signer_of(keys, data, signature, key_id, offered):
    """Whose signature it is: known, withdrawn, unknown (a key that was not given), or invalid."""

    def fits(key):
        return key_id in (None, key["id"]) and is_signed(key["pem"], data, signature)

    if any(fits(key) for key in keys["known"]):
        return "known"
    if any(fits(key) for key in keys["withdrawn"]):
        return "withdrawn"
    given = any(key["id"] == key_id for key in keys["known"] + keys["withdrawn"] + offered)
    return "unknown" if any(fits(key) for key in offered) or (key_id is not None and not given) else "invalid"


def require_signed(context, line, data, signature, key_id=None, offered=()):
    """Notes what a signature leaves open. Raises if it is invalid."""
    signer = signer_of(context["keys"], data, signature, key_id, list(offered))
    if signer == "invalid":
        raise contradicted(f"line {line} was altered: its signature does not fit")
    if signer == "withdrawn":
        context["missing"].append(f"line {line} is signed by a withdrawn key, which proves nothing")
    if signer == "unknown":
        context["missing"].append(f"line {line} is signed by a key that was not given with --key")


# Lines


def lines_of(path):
    """Yields number, bytes and whether the line has its line end. Only one line is in memory."""
    with open(path, "rb") as file:
        number = 1
        while line := file.readline(MAX_LINE_BYTES + 1):
            if len(line) > MAX_LINE_BYTES:
                raise unreadable(f"line {number} is longer than {MAX_LINE_BYTES} bytes")
            yield number, line.removesuffix(b"\n"), line.endswith(b"\n")
            number += 1


# Heads, checkpoints and statements. Each adds the event that it names to `expected`.


def expect(context, tenant, sequence, digest, at, where):
    events = context["expected"].setdefault(tenant, {})
    other = events.get(sequence)
    if other is not None and other["hash"] != digest:
        raise contradicted(f"{where} and {other['where']} name different events {sequence}: the chain was forked")
    events[sequence] = {"hash": digest, "at": at, "where": where}


def read_heads(context, path):
    heads = []
    for number, data, _ in lines_of(path):
        if data == b"":
            continue
        head = parse(data, number)
        signature = head.pop("signature", None)
        if head.get("v") != 1:
            raise unreadable(f"line {number} is a head of another version")
        if not is_place(head.get("sequence")) or not is_hash(head.get("hash")) or not isinstance(signature, str):
            raise unreadable(f"line {number} is not a head")
        signed = canonical(["prospect-platform audit head", head]).encode()
        require_signed(context, number, signed, signature, key_id=head.get("keyId"))
        expect(context, head["tenant"], head["sequence"], head["hash"], head["at"], f"line {number} of {path}")
        heads.append({**head, "number": number})
    newest = {}
    for head in sorted(heads, key=lambda one: time_of(one["at"])):
        before = newest.get(head["tenant"])
        if before is not None and before["sequence"] > head["sequence"]:
            raise contradicted(
                f"line {head['number']} is later than line {before['number']} and has fewer events: "
                "the chain was cut, or an older copy was restored"
            )
        newest[head["tenant"]] = head
    return f"{len(heads)} heads"


def read_checkpoint(context, data, line, offered=()):
    """Parses a checkpoint and checks its signature."""
    checkpoint = parse(data, line)
    version = checkpoint.get("v")
    if version not in (1, 2):
        raise unreadable(f"line {line} is a checkpoint of another version")
    signature = checkpoint.get("signature")
    if not is_place(checkpoint.get("sequence")) or not is_hash(checkpoint.get("hash")) or not isinstance(signature, str):
        raise unreadable(f"line {line} is not a checkpoint")
    names = ["v", "tenantId", "sequence", "hash", "at"] + ([] if version == 1 else ["number", "previous"])
    signed = compact(["prospect-platform audit checkpoint", *[checkpoint.get(name) for name in names]])
    require_signed(context, line, signed.encode(), signature, offered=offered)
    return checkpoint


def read_checkpoints(context, path):
    number, last = 0, START
    newest = {}
    for line, data, is_whole in lines_of(path):
        if not is_whole:
            raise unreadable(f"line {line} is cut off")
        one = read_checkpoint(context, data, line)
        if one["v"] == 2 and (one["number"] != number + 1 or one["previous"] != last):
            raise contradicted(
                f"line {line} does not follow the line before: lines were removed, replaced or reordered"
            )
        number, last = number + 1, sha256(data)
        newest[one["tenantId"]] = (one["tenantId"], one["sequence"], one["hash"], one["at"], f"line {line} of {path}")
    for one in newest.values():
        expect(context, *one)
    return f"{number} checkpoints"


def read_statement(context, path):
    if os.path.getsize(path) > MAX_STATEMENT_BYTES:
        raise unreadable("it is too large for a signed statement")
    with open(path, "rb") as file:
        document = parse(file.read(), 1)
    statement, signature = document.get("statement"), document.get("signature")
    if not isinstance(statement, dict) or not isinstance(signature, str):
        raise unreadable("line 1 is of no known format")
    if statement.get("version") != 1:
        raise unreadable("line 1 is a statement of another version")
    offered = [read_key(str(document.get("publicKey")), "line 1")]
    signed = [canonical([purpose, statement]).encode() for purpose in PURPOSES]
    fitting = [one for one in signed if signer_of(context["keys"], one, signature, None, offered) != "invalid"]
    require_signed(context, 1, (fitting or signed)[0], signature, offered=offered)
    audit = statement["audit"]
    expect(context, statement["workspace"]["id"], audit["sequence"], audit["hash"], statement["issuedAt"], path)
    return "a registry certificate"


# Proofs: a chain, or the inclusion of events


class Proof:
    def __init__(self, context):
        self.context = context
        self.sequence, self.hash = 0, START
        self.covered = self.events = self.hidden = 0
        self.link = None
        self.erasures = {}
        self.is_ended = False

    def header(self, rest, word):
        header = parse(rest, 1) if word == "prospect-proof" else {}
        if header.get("v") != 1:
            raise unreadable("line 1 is a proof of another version")
        if header.get("kind") not in ("chain", "inclusion"):
            raise unreadable("line 1 is a proof of an unknown kind")
        self.tenant, self.kind, self.at = header["tenant"], header["kind"], header["at"]
        self.offered = [read_key(pem, "line 1") for pem in header["keys"]]

    def place(self, tenant, sequence, previous, digest, line):
        """Checks that an event follows the one before. In an inclusion another part begins after a checkpoint."""
        if not is_place(sequence) or not is_hash(previous):
            raise unreadable(f"line {line} is not an event")
        if tenant != self.tenant:
            raise contradicted(f"line {line} is an event of another workspace")
        self.close_link()
        begins = self.kind == "inclusion" and self.covered == self.sequence and sequence > self.sequence
        if not begins and sequence != self.sequence + 1:
            raise contradicted(f"line {line}: event {self.sequence + 1} is missing, or events were reordered")
        if not begins and previous != self.hash:
            raise contradicted(
                f"line {line}: event {sequence} does not follow event {self.sequence} in its current form"
            )
        expected = self.context["expected"].get(tenant, {}).get(sequence)
        if expected is not None and expected["hash"] != digest:
            raise contradicted(
                f"line {line}: event {sequence} is not the one in {expected['where']}: "
                "the chain was rewritten or forked"
            )
        self.sequence, self.hash = sequence, digest
        self.events += 1

    def close_link(self):
        """Counts an event whose content is not in the file."""
        if self.link is not None:
            self.hidden += 1
        self.link = None

    def columns(self, rest, line):
        event = parse(rest, line)
        if event[0] not in (1, 2):
            raise unreadable(f"line {line} is an event of another form")
        self.place(event[1], event[2], event[14], sha256(rest), line)
        self.check_erasure(event[3], event[6], event[11], line)

    def on_link(self, rest, line):
        form, tenant, sequence, previous, content_hash = parse(rest, line)
        if form != 3:
            raise unreadable(f"line {line} is an event of another form")
        self.place(tenant, sequence, previous, sha256(rest), line)
        self.link = content_hash

    def content(self, rest, line):
        if self.link is None:
            raise unreadable(f"line {line} is content without its event")
        if sha256(rest) != self.link:
            raise contradicted(f"line {line}: the content of event {self.sequence} was altered")
        self.link = None
        if b'"business.erase"' in rest:
            content = parse(rest, line)
            self.check_erasure(content[1], content[4], content[9], line)

    def erased(self, rest, line):
        by, _, text = rest.partition(b" ")
        residue = parse(text, line)
        if self.kind != "chain":
            raise unreadable(f"line {line} is an erased event outside of a chain")
        tenant, sequence, previous, digest = residue[1], residue[2], residue[11], residue[12]
        if not is_hash(digest):
            raise unreadable(f"line {line} is not an erased event")
        if self.link is None:
            self.place(tenant, sequence, previous, digest, line)
        elif self.hash != digest:
            raise contradicted(f"line {line}: the erased event is not event {self.sequence}")
        self.link = None
        stated = self.erasures.setdefault(by.decode(), {"digest": hashlib.sha256(b"["), "events": 0, "first": sequence})
        stated["digest"].update(f"{',' if stated['events'] else ''}[{sequence},\"{sha256(text)}\"]".encode())
        stated["events"] += 1

    def checkpoint(self, rest, line):
        one = read_checkpoint(self.context, rest, line, self.offered)
        if (one["tenantId"], one["sequence"], one["hash"]) != (self.tenant, self.sequence, self.hash):
            raise contradicted(f"line {line}: the checkpoint is of another event than event {self.sequence}")
        self.covered = one["sequence"]

    def end(self, rest, line):
        self.close_link()
        events = parse(rest, line).get("events")
        if events != self.events:
            raise contradicted(f"line {line}: the file has {self.events} events and states {events}")
        self.is_ended = True

    def check_erasure(self, event_id, action, after, line):
        """Compares an erasure with the erased events before it."""
        if action != "business.erase":
            return
        redacted = (parse(after or "null", line) or {}).get("redacted")
        found = self.erasures.pop(event_id, None)
        if redacted is None or (redacted["events"] == 0 and found is None) or self.kind == "inclusion":
            return
        if found is not None:
            found["digest"].update(b"]")
        if found is None or (found["events"], found["digest"].hexdigest()) != (redacted["events"], redacted["digest"]):
            raise contradicted(f"line {line}: the erasure records other emptied events than the file has")

    def conclude(self):
        for erasure in self.erasures.values():
            raise contradicted(f"event {erasure['first']} was emptied, and no erasure of the history records it")
        missing = self.context["missing"]
        for sequence, expected in self.context["expected"].get(self.tenant, {}).items():
            if sequence <= self.sequence or self.kind != "chain":
                continue
            if time_of(expected["at"]) <= time_of(self.at):
                raise contradicted(
                    f"event {sequence} is in {expected['where']} and is missing: the end of the chain was cut off"
                )
            missing.append(f"event {sequence} of {expected['where']} is newer than this file")
        if self.covered < self.sequence:
            missing.append(f"no checkpoint covers events {self.covered + 1} to {self.sequence}")
        if self.hidden > 0 and self.kind == "chain":
            missing.append(f"the content of {self.hidden} events is not in it")
        if self.kind == "chain":
            return f"{self.events} events, proven to event {self.covered}"
        return f"an inclusion of {self.events} events"


def read_proof(context, path):
    proof = Proof(context)
    readers = {
        b"columns": proof.columns,
        b"link": proof.on_link,
        b"content": proof.content,
        b"erased": proof.erased,
        b"checkpoint": proof.checkpoint,
        b"end": proof.end,
    }
    for number, data, is_whole in lines_of(path):
        if not is_whole:
            raise unreadable(f"line {number} is cut off")
        if proof.is_ended:
            raise unreadable(f"line {number} is after the end")
        word, _, rest = data.partition(b" ")
        if number == 1:
            proof.header(rest, word.decode("latin-1"))
        elif word in readers:
            readers[word](rest, number)
        else:
            raise unreadable(f"line {number} begins with an unknown word")
    if not proof.is_ended:
        raise unreadable("it is cut off: its last line is missing")
    return proof.conclude()


# Files


def reader_of(path):
    for _, data, _ in lines_of(path):
        if data.startswith(b"prospect-proof "):
            return read_proof
        if b'"statement"' not in data:
            if re.fullmatch(rb'\{.*"keyId":.*\}', data):
                return read_heads
            if re.fullmatch(rb'\{.*"tenantId":.*\}', data):
                return read_checkpoints
        if data.startswith(b"{"):
            return read_statement
        break
    raise unreadable("line 1 is of no known format")


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("--key", action="append", default=[])
    options.add_argument("--withdrawn", action="append", default=[])
    options.add_argument("files", nargs="+")
    given = options.parse_args()

    def load(paths):
        keys = []
        for path in paths:
            with open(path, encoding="utf-8") as file:
                keys.append(read_key(file.read(), path))
        return keys

    keys = {"known": load(given.key), "withdrawn": load(given.withdrawn)}
    expected = {}
    codes = set()

    def report(path, code, sentence):
        codes.add(code)
        print(f"{WORDS[code]}\t{path}\t{sentence}")

    def read(path, reader):
        context = {"keys": keys, "expected": expected, "missing": []}
        try:
            what = reader(context, path)
            missing = context["missing"]
            more = f", and {len(missing) - 1} more" if len(missing) > 1 else ""
            if missing:
                report(path, PARTLY, f"{what}; missing: {missing[0]}{more}")
            else:
                report(path, PROVEN, what)
        except Finding as finding:
            report(path, finding.code, str(finding))
        except FileNotFoundError:
            report(path, UNREADABLE, "there is no such file")
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            report(path, UNREADABLE, f"it is not in its format: {error}")

    proofs = []
    for path in given.files:
        try:
            reader = reader_of(path)
        except Finding as finding:
            report(path, finding.code, str(finding))
        except OSError:
            report(path, UNREADABLE, "there is no such file")
        else:
            if reader is read_proof:
                proofs.append(path)
            else:
                read(path, reader)
    for path in proofs:
        read(path, read_proof)
    return next((code for code in (CONTRADICTED, UNREADABLE, PARTLY) if code in codes), PROVEN)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Finding, OSError) as error:
        print(error, file=sys.stderr)
        sys.exit(UNREADABLE)
