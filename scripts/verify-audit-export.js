#!/usr/bin/env node
// Checks an audit that was exported as JSONL, without Indexdesk and without packages (Node 18 or newer):
//
//   node verify-audit-export.js FILE [--head NUMBER/POSITION/HASH/TIME]
//
// docs/guides/audit.md describes the file and what a successful check proves. Exit code 0: the entries are as they were sealed;
// 1: they are not, and the first bad entry is named; 2: the file cannot be read.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual, parseArgs } from 'node:util';

const KINDS = {
  archive: 'data',
  table: 'data',
  definition: 'definition',
  user: 'access',
  group: 'access',
  session: 'sign-in',
  token: 'sign-in',
  system: 'access',
  refused: 'refused',
};
/** So many findings are printed. */
const MAX_PRINTED = 20;

/** @type {{ line: number, text: string }[]} */
const findings = [];
/** @param {number} line @param {string} text */
const fail = (line, text) => void findings.push({ line, text });

/** The entries of the file that no block has confirmed yet: id → line and hash. */
const entries = new Map();
let count = 0;
/** The block before. */
let last = null;
/** The number of the first block. */
let first = 0;
/** The number of the newest block. */
let newest = 0;
let seal = null;
/** The purges of the file, by the ids of their entries. */
const purges = new Map();
/** Entries from which purges have removed changes. */
const purged = [];
/** Entries of blocks that the file does not hold: only a filter explains them. */
const absent = [];

/** The hash of the lines before the present one. */
const above = createHash('sha256');
/** The names that the hashed entries give to archives, tables, users and groups: by their numbers. */
const namesGiven = new Map();
/** The names that the file adds to entries, each once: the subject's number, the name, and the first line. */
const namesShown = new Map();

/** @param {NodeJS.WriteStream} stream @param {string} text */
const say = (stream, text) => stream.write(`${text}\n`);
/** @param {unknown} error */
const messageOf = (error) => (error instanceof Error ? error.message : String(error));

const sha256 = (data) => createHash('sha256').update(data).digest();

/** What is readable of an entry must be what was hashed. */
function readEntry(line, entry, isListed = true) {
  const { historyId, at, user, kind, subject, action, id, call, address, changes, canonical } =
    entry;
  if (isListed) count += 1;
  if (!Array.isArray(canonical) || canonical.length !== 12) {
    fail(line, `Entry ${historyId} has no canonical form.`);
    return;
  }
  const [number, time, , username, from, called, scope, , rowId, , what, changed] = canonical;
  const isRecord = scope === 'archive' || scope === 'table';
  const changesHashed = JSON.parse(changed);
  const readable = [historyId, at, user, kind, subject, action, call, address, changes];
  const hashed = [
    String(number),
    new Date(time).toISOString(),
    username === '' ? null : username,
    KINDS[scope],
    scope,
    what,
    called,
    from,
    changesHashed,
  ];
  const isSame = isDeepStrictEqual(readable, hashed) && (!isRecord || id === String(rowId));
  learnNames(canonical, changesHashed);
  const isNamed = showNames(line, entry, canonical);
  if (!isSame || !isNamed) fail(line, `Entry ${number}: what it says is not what was hashed.`);
  if (entries.has(number)) fail(line, `Entry ${number} is in the file twice.`);
  const hash = sha256(JSON.stringify(canonical));
  const chained = entry.sha256 === undefined ? hash : Buffer.from(entry.sha256, 'hex');
  entries.set(number, { line, hash: chained.toString('base64') });
  if (what === 'purge') purges.set(number, { entry: canonical, purge: readPurge(changed) });
  if (entry.sha256 !== undefined) purged.push({ line, by: entry.purgedBy, entry: canonical, hash });
}

/** The numbers of archives and tables as subjects of changes of definitions. */
const SUBJECTS = { archive: 1, table: 2 };

/** What the changes of a hashed entry call its subject. */
function learnNames([, , , , , , scope, thing, row], changes) {
  for (const { name, before, after } of changes) {
    for (const state of [before, after]) {
      if (scope === 'definition' && name === 'definition' && state?.definition) {
        const { table, guid } = state.definition;
        learnName(`definition ${thing} ${row}`, thing === SUBJECTS.archive ? table : guid);
      } else if (scope === 'definition' && name === 'purge' && state) {
        learnName(`definition ${thing} ${row}`, state.archive ?? state.table);
      } else if (scope === 'user' && name === 'username') learnName(`user ${row}`, state);
      else if (scope === 'group' && name === 'name') learnName(`group ${row}`, state);
    }
  }
}

function learnName(subject, name) {
  if (typeof name !== 'string') return;
  if (!namesGiven.has(subject)) namesGiven.set(subject, new Set());
  namesGiven.get(subject).add(name);
}

/**
 * Collects the names that the file adds to an entry of which numbers were hashed.
 * @returns whether they are those of an entry of this scope
 */
function showNames(line, { archive, table, id = null }, [, , , , , , scope, thing, row]) {
  const kind = scope === 'definition' ? (thing === SUBJECTS.archive ? 'archive' : 'table') : scope;
  if (kind === 'archive' || kind === 'table') {
    const number = scope === 'definition' ? row : thing;
    const [name, other] = kind === 'archive' ? [archive, table] : [table, archive];
    if (name !== undefined) showName(line, `definition ${SUBJECTS[kind]} ${number}`, name);
    return other === undefined && (scope !== 'definition' || id === null);
  }
  if (archive !== undefined || table !== undefined) return false;
  if (scope === 'system' || scope === 'refused') return id === null;
  // Where a user or group has no name any more, the number is shown.
  if (id !== String(row)) showName(line, `${scope === 'group' ? 'group' : 'user'} ${row}`, id);
  return true;
}

function showName(line, subject, name) {
  const key = JSON.stringify([subject, name]);
  if (!namesShown.has(key)) namesShown.set(key, { line, subject, name });
}

/** @returns the names of which the file holds no proof */
function checkNames() {
  const unproven = [];
  for (const { line, subject, name } of namesShown.values()) {
    const given = namesGiven.get(subject);
    if (!given) unproven.push(name);
    else if (!given.has(name)) {
      fail(line, `The name ${JSON.stringify(name)} is not one that an entry gives to its subject.`);
    }
  }
  return [...new Set(unproven)];
}

/** What the entry of a purge says. @returns null where it is not one */
function readPurge(changes) {
  const change = JSON.parse(changes).find(({ name }) => name === 'purge');
  return change?.after ?? null;
}

/** Changes are missing only where a purge that is in the chain covers it, and what it has left is as it was left. */
function checkPurged(isWhole) {
  const newest = new Map();
  for (const { line, by, entry, hash } of purged) {
    const [id, , , , , , scope, collection, row, , , changes] = entry;
    const found = purges.get(Number(by));
    const { purge } = found ?? {};
    const isOfSame = purge && SUBJECTS[scope] === found.entry[7] && found.entry[8] === collection;
    // Exceptions from checks name the numbers of the fields that they are about; in old entries they do not, which is 0.
    const isPurged = ({ name, fields = name.startsWith('checks.') ? [0] : [] }) =>
      purge?.names.includes(name) || fields.some((field) => purge?.fields?.includes(field));
    const isBlank = purge?.names === null ? changes === '[]' : !JSON.parse(changes).some(isPurged);
    if (!isOfSame || id > purge.upTo || !isBlank) {
      fail(line, `Entry ${id}: its changes are missing, and no purge in the file covers it.`);
      continue;
    }
    const key = `${scope} ${collection}`;
    newest.set(key, [...(newest.get(key) ?? []), { row, id, hash }]);
  }
  // With a filter the file may hold some of the entries only.
  if (!isWhole) return;
  for (const [id, { entry, purge }] of purges) {
    const [, , , , , , , kind, collection] = entry;
    const isNewest = ![...purges].some(
      ([other, { entry: one }]) => other > id && one[7] === kind && one[8] === collection,
    );
    if (!isNewest || !purge) continue;
    const left = newest.get(`${kind === 1 ? 'archive' : 'table'} ${collection}`) ?? [];
    left.sort((a, b) => a.row - b.row || a.id - b.id);
    const digest = sha256(Buffer.concat(left.map(({ hash }) => hash))).toString('hex');
    if (left.length === purge.entries && digest === purge.sha256) continue;
    fail(number, `The entries that the purge ${id} has left are not as it has left them.`);
  }
}

function readBlock(line, block) {
  const { number, firstPosition, entries: size, sealedAt, before, hash, ids, hashes } = block;
  const follows = !last || (number === last.number + 1 && before === last.hash);
  const continues = !last || firstPosition === last.firstPosition + last.entries;
  if (!follows || !continues) fail(line, `Block ${number} does not follow the block before it.`);
  const head = JSON.stringify([number, firstPosition, size, sealedAt]);
  const parts = hashes.map((/** @type {string} */ one) => Buffer.from(one, 'base64'));
  const found = sha256(Buffer.concat([Buffer.from(before, 'hex'), Buffer.from(head), ...parts]));
  if (found.toString('hex') !== hash || ids.length !== size || hashes.length !== size) {
    fail(line, `Block ${number}: its hash is not that of its entries and of the block before it.`);
  }
  for (const [i, id] of ids.entries()) {
    const entry = entries.get(id);
    if (!entry) absent.push({ id, number, sealedAt, line });
    else if (entry.hash !== hashes[i]) {
      fail(entry.line, `Entry ${id} was altered: it is not the one that block ${number} holds.`);
    }
    entries.delete(id);
  }
  first ||= number;
  newest = number;
  last = block;
}

function readSeal(line, given) {
  seal = given;
  if (given.entries !== count) {
    fail(line, `The seal says ${given.entries} entries, the file holds ${count}.`);
  }
  if (given.sha256 !== above.copy().digest('hex')) {
    fail(line, 'The lines above are not those whose hash the seal holds.');
  }
  const head = last ? headOf(last) : given.head;
  if (given.head !== head) fail(line, `The seal ends with ${given.head}, the blocks with ${head}.`);
  // What was sealed while the export ran may be newer than its first page.
  const isWhole = Object.values(given.filter).every((wanted) => wanted === null);
  for (const { id, number, sealedAt, line: place } of isWhole ? absent : []) {
    if (sealedAt >= Date.parse(given.startedAt)) continue;
    fail(place, `Entry ${id} of block ${number} is missing, and the export has no filter.`);
  }
}

function headOf({ number, firstPosition, entries: size, hash, sealedAt }) {
  return [number, firstPosition + size - 1, hash, new Date(sealedAt).toISOString()].join('/');
}

/** A head that was stored elsewhere, such as by `indexdesk verify --export`. */
function compareHead(line, head, blocks) {
  const number = Number(head.split('/')[0]);
  const found = blocks.get(number);
  if (found === undefined) fail(line, `Block ${number} of the head ${head} is not in the file.`);
  else if (found !== head) fail(line, `Block ${number} is ${found}, and was ${head}.`);
}

const { values, positionals } = parseArgs({
  options: { head: { type: 'string' } },
  allowPositionals: true,
});
const [file] = positionals;
if (file === undefined || positionals.length > 1) {
  say(process.stderr, 'Usage: node verify-audit-export.js FILE [--head NUMBER/POSITION/HASH/TIME]');
  process.exit(2);
}
/** @type {Map<number, string>} */
const heads = new Map();
let number = 0;
try {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity });
  for await (const text of lines) {
    number += 1;
    if (number === 1 && /^\uFEFF?historyId,/.test(text)) {
      say(
        process.stderr,
        `${file} is the export as CSV, which proves nothing: export it as JSONL.`,
      );
      process.exit(2);
    }
    if (seal) fail(number, 'There is something after the seal.');
    try {
      const read = JSON.parse(text);
      if (read.block) {
        readBlock(number, read.block);
        if (values.head) heads.set(read.block.number, headOf(read.block));
      } else if (read.seal) readSeal(number, read.seal);
      else if (read.purge) readEntry(number, read.purge, false);
      else readEntry(number, read);
    } catch (error) {
      fail(number, `It cannot be read (${messageOf(error)}).`);
    }
    above.update(`${text}\n`);
  }
} catch (error) {
  say(process.stderr, messageOf(error));
  process.exit(2);
}
if (!seal) fail(number, 'The file has no seal: its end is missing.');
for (const [id, { line }] of entries) {
  fail(
    line,
    `Entry ${id} is in no block: it was added, or it is so new that you should export again.`,
  );
}
checkPurged(Object.values(seal?.filter ?? {}).every((wanted) => wanted === null));
if (values.head) compareHead(number, values.head, heads);
const unproven = checkNames();
findings.sort((a, b) => a.line - b.line);
for (const { line, text } of findings.slice(0, MAX_PRINTED)) {
  say(process.stderr, `Line ${line}: ${text}`);
}
if (findings.length > MAX_PRINTED)
  say(process.stderr, `… and ${findings.length - MAX_PRINTED} more.`);
if (findings.length > 0) {
  say(process.stderr, `NOT PROVEN: ${file} is not as it was exported.`);
  process.exit(1);
}
const range = newest > 0 ? ` in the blocks ${first} to ${newest}` : '';
say(process.stdout, `PROVEN: ${count} entries are as they were sealed${range}.`);
say(process.stdout, `Head of the chain: ${seal.head}`);
if (unproven.length > 0) {
  const some = unproven.slice(0, MAX_PRINTED).map((name) => JSON.stringify(name));
  if (unproven.length > MAX_PRINTED) some.push(`and ${unproven.length - MAX_PRINTED} more`);
  say(
    process.stdout,
    `Not proven are these names, as no entry of the file gives them: ${some.join(', ')}.`,
  );
}
