import { useState } from 'react';
import { type Control, useWatch } from 'react-hook-form';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { apiPaths } from '#web/api/paths.ts';
import { Segmented } from '#web/ui/inputs/segmented.tsx';
import { editsOf, type FormField, type FormValues } from './form-values.ts';
import classes from './index-form.module.css';
import { buildBody, type SaveMethod } from './request-body.ts';
import type { RevisionRead } from '#web/api/revisions.queries.ts';

interface RequestPanelProps {
  readonly archive: ArchiveDetail;
  readonly base: RevisionRead;
  readonly fields: readonly FormField[];
  readonly control: Control<FormValues>;
}

const CHOICES = [
  { value: 'PATCH', label: 'Save changes' },
  { value: 'PUT', label: 'Validate all and save' },
] as const;

/** The exact request that either way of saving would send now. */
export function RequestPanel({ archive, base, fields, control }: RequestPanelProps) {
  const values = useWatch({ control, compute: (now: FormValues) => structuredClone(now) });
  const edits = editsOf(fields, base.revision, values);
  const [method, setMethod] = useState<SaveMethod>('PATCH');
  const built = buildBody(archive, base.revision, edits, method);
  const nothing = method === 'PATCH' && edits.size === 0;
  return (
    <section className={classes.request} aria-label="Preview request">
      <h3 className={classes.heading}>Preview request</h3>
      <Segmented
        aria-label="By which way of saving"
        options={CHOICES}
        value={method}
        onChange={setMethod}
      />
      {nothing ? (
        <p className={classes.muted}>Nothing is changed, so nothing would be sent.</p>
      ) : built.ok ? (
        // A long body is scrolled by keys as well.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <pre className={classes.raw} tabIndex={0} aria-label="Text of the request">
          {[
            `${method} ${apiPaths.indexData(archive.table, base.revision.revisionId)}`,
            'Accept: application/json',
            'Content-Type: application/json',
            ...(base.etag === null ? [] : [`If-Match: ${base.etag}`]),
            'Idempotency-Key: (a new one for each save)',
            '',
            JSON.stringify(built.body, null, 2),
          ].join('\n')}
        </pre>
      ) : (
        <p className={classes.wrong}>
          It cannot be sent yet:{' '}
          {[...built.problems]
            .map(([place, message]) => `${place.replace(/^\w+\./, '')}: ${message}`)
            .join(' ')}
        </p>
      )}
    </section>
  );
}
