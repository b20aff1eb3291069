import * as texts from '#messages/service/file-analysis.ts';
import { open, readFile, stat } from 'node:fs/promises';
import { yieldToEventLoop } from '#server/database/cooperative-yield.ts';
import { definitionFileSchema } from '#shared/contract/definition-file.ts';
import { ApiError } from '#shared/contract/errors.ts';
import type { DefinitionAnalysis } from '#shared/contract/file-analysis.ts';
import {
  JsonSyntaxError,
  JsonTooLargeError,
  parseJsonWithPauses,
  type JsonValue,
} from '#shared/values/json.ts';
import type { Message } from '#shared/messages/message.ts';
import { repeatedNames, parseDefinition } from '../definition-files/definition-problems.ts';

const MAX_MEGABYTES = 8;
const MAX_SHOWN = 20;
const LIMITS = { values: 500_000, keys: 10_000 };

/** Whether a file is a definition file: it begins as a JSON object. */
export async function isDefinitionFile(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1_024), 0, 1_024, 0);
    const start = buffer.toString('utf8', 0, bytesRead).replace(/^\uFEFF/, '');
    return /^\s*\{/.test(start);
  } finally {
    await file.close();
  }
}

/**
 * Reads the archives and tables of a definition file (docs/interface/decisions.md, section 9).
 * @throws {ApiError} 422 under `files.0` with its errors
 */
export async function analyseDefinition(file: {
  readonly path: string;
  readonly name: string;
}): Promise<DefinitionAnalysis> {
  const { size } = await stat(file.path);
  if (size > MAX_MEGABYTES * 1024 * 1024) throw tooLarge();
  const text = decode(await readFile(file.path));
  const json = await parse(text);
  const parsed = parseDefinition(definitionFileSchema, json);
  const problems = parsed.ok ? repeatedNames(parsed.known) : parsed.problems;
  if (!parsed.ok || problems.length > 0) {
    throw refused(
      problems.slice(0, MAX_SHOWN).map((problem) => texts.definitionProblem({ problem })),
    );
  }
  const { archives, tables, users } = parsed.known;
  // With numbers as JavaScript has them, to be answered.
  const raw: RawFile = JSON.parse(text);
  return {
    kind: 'definition',
    name: file.name,
    archives: (raw.archives ?? []).map(withoutContent),
    tables: (raw.tables ?? []).map(withoutContent),
    ignored: {
      documents: archives.reduce((sum, { documents }) => sum + documents.length, 0),
      datasets: tables.reduce((sum, { datasets }) => sum + datasets.length, 0),
      files:
        archives.filter(({ documentsFrom }) => documentsFrom).length +
        tables.filter(({ datasetsFrom }) => datasetsFrom).length,
      users: users.length,
    },
  };
}

/** A definition file that its schema has accepted. */
interface RawFile {
  readonly archives?: readonly Record<string, unknown>[];
  readonly tables?: readonly Record<string, unknown>[];
}

/** What the file gives an archive or table beside its definition. */
const CONTENT = new Set(['documents', 'documentsFrom', 'datasets', 'datasetsFrom', 'views']);

function withoutContent(given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([key]) => !CONTENT.has(key)));
}

function decode(bytes: Buffer): string {
  try {
    // Removes a byte order mark.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refused([texts.notUtf8]);
  }
}

async function parse(text: string): Promise<JsonValue> {
  try {
    return await parseJsonWithPauses(text, LIMITS, yieldToEventLoop);
  } catch (error) {
    if (error instanceof JsonTooLargeError) throw tooLarge();
    if (error instanceof JsonSyntaxError) throw refused([texts.notJson({ reason: error.message })]);
    throw error;
  }
}

function tooLarge(): ApiError {
  return refused([texts.definitionTooLarge({ megabytes: MAX_MEGABYTES })]);
}

function refused(problems: readonly Message[]): ApiError {
  return new ApiError('validation_failed', { 'files.0': [...problems] });
}
