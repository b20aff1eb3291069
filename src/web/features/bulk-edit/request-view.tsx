import { useMemo } from 'react';
import { formatCount } from '#shared/messages/format.ts';
import { byteSizeText } from '#web/ui/byte-size.ts';
import { correctionPath } from './bulk-edit.queries.ts';
import { bulkBody } from './bulk-request.ts';
import { countedRevisions } from './counted.ts';
import classes from './request-view.module.css';
import type { BulkEditState } from './use-bulk-edit.ts';

const ENTRIES_SHOWN = 3;

/** The exact request that would be sent: its first entries, and how large the whole is. */
export function RequestView({ state }: { readonly state: BulkEditState }) {
  const { archive, toSend, changes, method } = state;
  const { first, bytes } = useMemo(() => {
    const body = bulkBody(toSend, changes, method);
    return {
      first: JSON.stringify({ revisions: body.revisions.slice(0, ENTRIES_SHOWN) }, null, 2),
      bytes: new TextEncoder().encode(JSON.stringify(body)).length,
    };
  }, [toSend, changes, method]);
  const more = toSend.length - ENTRIES_SHOWN;
  return (
    <div className={classes.view}>
      <div className={classes.bar}>
        <h4 className={classes.title}>Preview request</h4>
        <span className={classes.size}>
          {countedRevisions(toSend.length)}, {byteSizeText(bytes)}
        </span>
      </div>
      {/* Long requests are scrolled by keyboard too. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className={classes.text} tabIndex={0} aria-label="Text of the request">
        <b>{method}</b> {correctionPath(archive)}
        {'\nContent-Type: application/json\nIdempotency-Key: made when it is sent\n\n'}
        {more > 0 ? first.replace(/\n {2}\]\n\}$/, ',') : first}
        {more > 0 && `\n    … and ${formatCount(more)} more\n  ]\n}`}
      </pre>
    </div>
  );
}
