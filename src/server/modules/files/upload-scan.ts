import { fileInfected, fileNotScannable, scannerFails } from '#messages/service/http.ts';
import type { FastifyRequest } from 'fastify';
import { callOf } from '#server/http/paths.ts';
import type { ScanFiles } from '#server/http/form.ts';
import type { MessagesByPath } from '#shared/messages/message.ts';
import { ApiError } from '#shared/contract/errors.ts';
import type { Refusals } from '../history/refusals.ts';
import { type MalwareScanner, ScannerError } from './malware-scanner.ts';

/** Scans the files of a form, one after the other; those with malware are written to the audit. */
export function scanUploads(scanner: MalwareScanner, refusals: Refusals): ScanFiles {
  return async (request, files) => {
    const errors: MessagesByPath = {};
    for (const [i, { name, path }] of files.entries()) {
      const result = await scanOne(scanner, request, path);
      if (result.kind === 'too large') throw new ApiError('too_large', fileNotScannable({ name }));
      if (result.kind !== 'malware') continue;
      errors[`files.${i}`] = [fileInfected({ name, finding: result.name })];
      refusals.add({
        user: request.signedIn ?? null,
        address: request.ip,
        call: callOf(request) ?? '',
        reason: 'malware',
        malware: { file: name, finding: result.name },
      });
      request.log.warn({ finding: result.name }, 'file with malware refused');
    }
    if (Object.keys(errors).length > 0) throw new ApiError('validation_failed', errors);
  };
}

async function scanOne(scanner: MalwareScanner, { log }: FastifyRequest, path: string) {
  try {
    return await scanner.scan(path);
  } catch (error) {
    if (!(error instanceof ScannerError)) throw error;
    log.warn({ err: error }, 'the malware scanner fails');
    throw new ApiError('unavailable', scannerFails, { retryAfter: 30 });
  }
}
