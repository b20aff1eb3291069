import * as texts from '#messages/service/http.ts';
import { hash, randomUUID } from 'node:crypto';
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import { createFile } from '#server/database/data-directory.ts';
import { writeAndFlush } from '#server/lib/file-bytes.ts';
import { ApiError, type EntryErrors } from '#shared/contract/errors.ts';
import { requireMediaType } from './body.ts';
import { fileNameOf } from './file-name.ts';
import { partsOf } from './form-parts.ts';
import { codeOf, isMissingFile } from '#server/lib/caught-errors.ts';

/** A file of a form, streamed to a temporary file and flushed to disk. */
export interface StoredUpload {
  /** the form field's name */
  readonly field: string;
  /** without the path on the sender's machine; at most 255 bytes */
  readonly name: string;
  readonly contentType: string;
  /** bytes */
  readonly size: number;
  /** lower-case hexadecimal */
  readonly sha256: string;
  /** removed after the request, unless it is moved or linked */
  readonly path: string;
}

export interface FormBody {
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly files: readonly StoredUpload[];
}

class ReceivedForm implements FormBody {
  readonly fields: [string, string][] = [];
  readonly files: StoredUpload[] = [];
}

/** The body of a route that takes a multipart form. */
export const formBody: z.ZodType<FormBody> = z.custom<FormBody>(
  (value) => value instanceof ReceivedForm,
  texts.formNeeded.message,
);

/** The JSON Schema of a file of a form (OpenAPI 3.1). */
export const DESCRIBED_FILE = {
  type: 'string',
  contentMediaType: 'application/octet-stream',
} as const;

const MAX_FILES = 200;
const MAX_PARTS = 20_000;
const MAX_FIELD_NAME_LENGTH = 1_000;

/**
 * Looks for malware in the files of a form.
 * @throws {ApiError} 422 under `files.N`; 413 or 503 if a file cannot be scanned
 */
export type ScanFiles = (request: FastifyRequest, files: readonly StoredUpload[]) => Promise<void>;

interface FormLimits {
  readonly scanFiles: ScanFiles;
  /** limit for all fields together, in bytes */
  readonly maxBodyBytes: number;
  /** limit for each file, in bytes */
  readonly maxFileBytes: number;
  readonly incomingDir: string;
}

/**
 * Receives a multipart form.
 * @throws {ApiError} 415; 413, under `files.N` if a file is too long; 400 if it is not a multipart form or not UTF-8; 422
 * under `files.N` if a file holds malware; 503 if files cannot be scanned
 */
export async function receiveForm(request: FastifyRequest, limits: FormLimits): Promise<FormBody> {
  requireMediaType(request, 'multipart/form-data');
  const form = new ReceivedForm();
  try {
    await receiveParts(request, limits, form);
    // Not while the body arrives: its client would seem to make no progress.
    await limits.scanFiles(request, form.files);
    return form;
  } catch (error) {
    await removeUploads(form);
    throw toFormError(error);
  }
}

/** Removes the remaining files of a form; moved files no longer exist. */
export async function removeUploads(form: FormBody): Promise<void> {
  for (const { path } of form.files) {
    await unlink(path).catch((error: unknown) => {
      if (!isMissingFile(error)) throw error;
    });
  }
}

/** Equal for forms with equal parts, whatever their boundaries. */
export function digestForm(form: FormBody): string {
  const parts = [
    form.fields,
    form.files.map((file) => [file.field, file.name, file.contentType, file.size, file.sha256]),
  ];
  return hash('sha256', JSON.stringify(parts), 'base64url');
}

async function receiveParts(
  { raw }: FastifyRequest,
  limits: FormLimits,
  form: ReceivedForm,
): Promise<void> {
  const parts = partsOf(raw, {
    maxParts: MAX_PARTS,
    maxPartBytes: limits.maxFileBytes,
    maxFieldBytes: limits.maxBodyBytes,
  });
  for await (const part of parts) {
    const { name } = part;
    if (name === undefined || name.length > MAX_FIELD_NAME_LENGTH || name in Object.prototype) {
      throw new ApiError('malformed', texts.partNameInvalid);
    }
    if (part.kind === 'field') {
      form.fields.push([name, decodeField(part.bytes)]);
      continue;
    }
    const { filename, contentType, bytes } = part;
    if (form.files.length >= MAX_FILES) {
      throw new ApiError('too_large', texts.tooManyFiles({ max: MAX_FILES }));
    }
    const path = join(limits.incomingDir, randomUUID());
    const upload = {
      field: name,
      name: fileNameOf(filename),
      contentType: /^[\w.+-]+\/[\w.+-]+$/.test(contentType)
        ? contentType
        : 'application/octet-stream',
      path,
    };
    // Registered before its first byte is written, so that it is always removed.
    const index = form.files.push({ ...upload, size: 0, sha256: '' }) - 1;
    bytes.on('limit', () => bytes.destroy(tooLongFile(form, limits)));
    const digest = await writeAndFlush(await createFile(path), bytes);
    // The limit was reached before it was listened to.
    if (bytes.truncated) throw tooLongFile(form, limits);
    form.files[index] = { ...upload, ...digest };
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeField(bytes: Buffer): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new ApiError('malformed', texts.fieldNotUtf8);
  }
}

/** Adds the errors of files without a usable name, under `files.N`. */
export function addFileNameErrors({ files }: FormBody, errors: EntryErrors): void {
  for (const [i, { name }] of files.entries()) {
    if (name === '') errors.add('validation_failed', `files.${i}`, texts.fileNameMissing);
  }
}

/** The error of the last file that was received. */
function tooLongFile({ files }: FormBody, { maxFileBytes }: FormLimits): ApiError {
  const message = texts.fileTooLong({ max: maxFileBytes });
  return new ApiError('too_large', { [`files.${files.length - 1}`]: [message] });
}

/** All errors of the parser are faults of the request. */
function toFormError(error: unknown): unknown {
  if (error instanceof ApiError || !(error instanceof Error)) return error;
  const ofTheDisk = 'syscall' in error && codeOf(error) !== 'ECONNRESET';
  return ofTheDisk ? error : new ApiError('malformed', texts.formIncomplete);
}
