import * as texts from '#messages/clippings.ts';
import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, useEffect, useRef, useState } from 'react';
import shared from '#web/ui/shared.module.css';
import classes from './clipping.module.css';
import { clippingQuery, type ClippingSubject, type PageClipping } from './clipping.queries.ts';
import type { PlaceKind } from './page-places.ts';
import { displayProblem } from './page-source.ts';

/**
 * A clipping of a revision's document around the place of a field's stored value, or where it is expected. It is
 * rendered when it comes near the visible part of the page. Give it a `key` per revision and field: it is rendered
 * once.
 */
export function Clipping(subject: ClippingSubject) {
  const frame = useRef<HTMLDivElement>(null);
  const { data: content, error } = useQuery({
    ...clippingQuery(subject),
    enabled: useIsNear(frame),
  });
  const failed = error
    ? displayProblem(error, texts.notReadBecause, texts.notRead)
    : content === null
      ? texts.noFile
      : null;
  return (
    <div ref={frame} className={classes.frame} data-failed={failed !== null || undefined}>
      {failed !== null && <p className={`${shared.note} ${classes.reason}`}>{failed}</p>}
      {!content && failed === null && (
        <span className={classes.waiting} aria-label={texts.loading} role="img" />
      )}
      {content?.as === 'page' && <Strip content={content} />}
      {content?.as === 'text' && (
        <p className={classes.text}>
          {content.before}
          <mark>{content.value}</mark>
          {content.after}
        </p>
      )}
    </div>
  );
}

const SHOWS: Readonly<Record<PlaceKind, string>> = {
  value: texts.showsValue,
  others: texts.showsPlaceOfOthers,
  label: texts.showsLabel,
  top: texts.showsTop,
};
const IN_SHORT: Readonly<Record<PlaceKind, string | null>> = {
  value: null,
  others: texts.asInOthers,
  label: texts.besideLabel,
  top: texts.topOfPage,
};

function Strip({ content }: { readonly content: PageClipping }) {
  const { canvas, place, pageCount, width, height, box } = content;
  const holder = useRef<HTMLDivElement>(null);
  useEffect(() => {
    holder.current?.replaceChildren(canvas);
  }, [canvas]);
  // A value is expected to the right of its label; a found value is centred.
  const x = !box ? 0 : place.kind === 'label' ? box.left + box.width : box.left + box.width / 2;
  const y = box ? box.top + box.height / 2 : 0;
  const style: CSSProperties & Record<`--${string}`, string> = {
    '--x': `${x}px`,
    '--y': `${y}px`,
    '--width': `${width}px`,
    '--height': `${height}px`,
  };
  const short = IN_SHORT[place.kind];
  return (
    <>
      <div className={classes.strip} style={style} role="img" aria-label={SHOWS[place.kind]}>
        <div ref={holder} className={classes.page} />
        {box && <div className={classes.box} data-kind={place.kind} style={{ ...box }} />}
      </div>
      {(short !== null || place.page > 1) && (
        <span className={classes.corner}>
          {short} {place.page > 1 && texts.pageOf({ page: place.page, pageCount })}
        </span>
      )}
    </>
  );
}

/** Distance in pixels from the visible part at which clippings are rendered in advance. */
const ROOT_MARGIN = '300px';

/** Whether an element has been near the visible part of the page. */
function useIsNear(ref: { readonly current: Element | null }): boolean {
  const [isNear, setIsNear] = useState(!('IntersectionObserver' in window));
  useEffect(() => {
    if (isNear || !ref.current) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setIsNear(true);
      },
      { rootMargin: ROOT_MARGIN },
    );
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [isNear, ref]);
  return isNear;
}
