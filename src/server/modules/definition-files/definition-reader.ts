import * as loadingTexts from '#messages/service/loading.ts';
import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import type * as z from 'zod';
import { definitionFileSchema, type DefinitionFile } from '#shared/contract/definition-file.ts';
import { JsonSyntaxError, parseJson, type JsonValue } from '#shared/values/json.ts';
import { repeatedNames, parseDefinition } from './definition-problems.ts';
import { fileProblem, LoadError, MAX_SHOWN } from './load-error.ts';

/** A valid definition file. */
export interface ReadDefinition {
  /** the file's name without its directory */
  readonly name: string;
  /** what the paths in it are relative to */
  readonly directory: string;
  readonly file: DefinitionFile;
}

/**
 * Reads a definition file (docs/interface/decisions.md, section 9).
 * @throws {LoadError} with all errors and their positions
 */
export async function readDefinition(path: string): Promise<ReadDefinition> {
  const file = await readDefinitionAs(definitionFileSchema, path, repeatedNames);
  return { name: basename(path), directory: dirname(resolve(path)), file };
}

/**
 * Reads those parts of a definition file that a schema describes.
 * @param problemsOf further errors of these parts
 * @throws {LoadError} with all errors and their positions
 */
export async function readDefinitionAs<Known>(
  schema: z.ZodType<Known>,
  path: string,
  problemsOf: (known: Known) => readonly string[] = () => [],
): Promise<Known> {
  const json = parse(path, await readText(path));
  const parsed = parseDefinition(schema, json);
  const problems = parsed.ok ? problemsOf(parsed.known) : parsed.problems;
  if (parsed.ok && problems.length === 0) return parsed.known;
  const more = problems.length - MAX_SHOWN;
  throw new LoadError([
    loadingTexts.definitionInvalid(path),
    ...problems.slice(0, MAX_SHOWN),
    ...(more > 0 ? [loadingTexts.moreProblems(more)] : []),
  ]);
}

async function readText(path: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    throw new LoadError(fileProblem(path, error), { cause: error });
  }
  try {
    // Removes a byte order mark.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new LoadError(loadingTexts.notUtf8(path), { cause: error });
  }
}

function parse(path: string, text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const { line, column } = lineAndColumn(text, error.position);
    throw new LoadError(loadingTexts.notJson({ path, line, column, reason: error.message }), {
      cause: error,
    });
  }
}

function lineAndColumn(text: string, position: number): { line: number; column: number } {
  const lines = text.slice(0, position).split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}
