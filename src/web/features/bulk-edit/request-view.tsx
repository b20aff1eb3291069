import * as texts from '#messages/bulk-correction.ts';
import { useMemo } from 'react';
import { byteSizeText } from '#web/ui/byte-size.ts';
import { correctionPath } from './correction.calls.ts';
import { bulkBody } from './bulk-request.ts';
import shared from '#web/ui/shared.module.css';
import classes from './request-view.module.css';
import type { BulkEditState } from './use-bulk-edit.ts';

const ENTRIES_SHOWN = 3;

/** The exact request that will be sent: its first entries, and its total size. */
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
  const headers = `\nContent-Type: application/json\nIdempotency-Key: ${texts.keyMadeWhenSent}\n\n`;
  return (
    <div className={shared.column}>
      <div className={classes.bar}>
        <h4 className={shared.heading}>{texts.previewRequest}</h4>
        <span className={classes.size}>
          {texts.requestSize({ count: toSend.length, size: byteSizeText(bytes) })}
        </span>
      </div>
      {/* Long requests can be scrolled by keyboard too. */}
      <pre
        className={`${shared.scroller} ${classes.text}`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label={texts.requestText}
      >
        <b>{method}</b> {correctionPath(archive)}
        {headers}
        {more > 0 ? first.replace(/\n {2}\]\n\}$/, ',') : first}
        {more > 0 && `\n    ${texts.moreEntries(more)}\n  ]\n}`}
      </pre>
    </div>
  );
}
