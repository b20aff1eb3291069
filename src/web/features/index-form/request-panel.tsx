import * as texts from '#messages/index-form.ts';
import { useState } from 'react';
import { type Control, useWatch } from 'react-hook-form';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { apiPaths } from '#web/api/api-paths.ts';
import type { ArchiveField } from '#web/fields/index-data.ts';
import { SegmentedControl } from '#web/ui/inputs/segmented-control.tsx';
import { editsOf, type FormValues } from './form-values.ts';
import shared from '#web/ui/shared.module.css';
import classes from './index-form.module.css';
import { buildBody, type SaveMethod } from './request-body.ts';
import type { VersionedRevision } from '#web/api/revisions.queries.ts';

interface RequestPanelProps {
  readonly archive: ArchiveDetail;
  readonly base: VersionedRevision;
  readonly fields: readonly ArchiveField[];
  readonly control: Control<FormValues>;
}

const CHOICES = [
  { value: 'PATCH', label: texts.save },
  { value: 'PUT', label: texts.validateAll },
] as const;

const HEADERS = ['Accept', 'Content-Type'].map((name) => `${name}: application/json`);

/** The exact request of either save method. */
export function RequestPanel({ archive, base, fields, control }: RequestPanelProps) {
  const values = useWatch({ control, compute: (now: FormValues) => structuredClone(now) });
  const edits = editsOf(fields, base.revision, values);
  const [method, setMethod] = useState<SaveMethod>('PATCH');
  const built = buildBody(archive, base.revision, edits, method);
  const nothing = method === 'PATCH' && edits.size === 0;
  return (
    <section className={classes.request} aria-label={texts.previewRequest}>
      <h3 className={classes.heading}>{texts.previewRequest}</h3>
      <SegmentedControl
        aria-label={texts.wayOfSaving}
        options={CHOICES}
        value={method}
        onChange={setMethod}
      />
      {nothing ? (
        <p className={shared.note}>{texts.nothingToSend}</p>
      ) : built.ok ? (
        // A long body can be scrolled by keyboard as well.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <pre className={classes.raw} tabIndex={0} aria-label={texts.requestText}>
          {[
            `${method} ${apiPaths.indexData(archive.table, base.revision.revisionId)}`,
            ...HEADERS,
            ...(base.etag === null ? [] : [`If-Match: ${base.etag}`]),
            `Idempotency-Key: ${texts.newIdempotencyKey}`,
            '',
            JSON.stringify(built.body, null, 2),
          ].join('\n')}
        </pre>
      ) : (
        <p className={shared.wrong}>
          {texts.notSendable(
            [...built.problems]
              .map(([path, problem]) =>
                texts.problemAt({ name: path.replace(/^\w+\./, ''), problem }),
              )
              .join(' '),
          )}
        </p>
      )}
    </section>
  );
}
