import * as documentsTexts from '#messages/documents.ts';
import { useStore } from '#web/api/use-store.ts';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { connection } from '#web/api/connection.ts';
import { displayProblem, type PageSource, type Rotation } from './page-source.ts';
import type { PlacedPage } from './page-layout.ts';
import classes from './viewer.module.css';

interface PageSheetProps {
  readonly source: PageSource;
  readonly page: number;
  readonly box: PlacedPage;
  readonly rotation: Rotation;
  readonly onDrawn: (page: number, layer: HTMLElement) => void;
}

/** One page: its image and, above it, its selectable text. */
export function PageSheet({ source, page, box, rotation, onDrawn }: PageSheetProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const [broken, setBroken] = useState<string | null>(null);
  const [empty, setEmpty] = useState(true);
  const isUnreachable = useStore(connection) === 'lost';
  const drawn = useEffectEvent(onDrawn);
  const { scale } = box;
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const [shown, texts] = [canvas.current, layer.current];
    if (!shown || !texts) return undefined;
    // A new canvas, because only one rendering may use a canvas, and it is empty while it is redrawn.
    const next = document.createElement('canvas');
    next.className = shown.className;
    const draw = async () => {
      try {
        const drawing = { page, scale, rotation, canvas: next, layer: texts, signal };
        await source.draw(drawing);
        if (signal.aborted) return;
        shown.width = next.width;
        shown.height = next.height;
        shown.getContext('2d')?.drawImage(next, 0, 0);
        shown.dataset['drawn'] = 'true';
        setEmpty(false);
        setBroken(null);
        await source.renderTextLayer?.(drawing);
        if (signal.aborted) return;
        drawn(page, texts);
      } catch (error) {
        if (signal.aborted) return;
        setBroken(displayProblem(error, documentsTexts.pageNotRead, documentsTexts.pageNotShown));
      }
    };
    void draw();
    return () => stop.abort();
  }, [source, page, scale, rotation]);
  const { top, width, height } = box;
  return (
    <div
      className={classes.sheet}
      role="group"
      aria-roledescription={documentsTexts.pageRole}
      aria-label={documentsTexts.pageNumber(page)}
      style={{ top, width, height }}
    >
      <canvas ref={canvas} className={classes.canvas} />
      <div ref={layer} className={classes.textLayer} />
      {broken !== null && <p className={classes.broken}>{broken}</p>}
      {isUnreachable && empty && broken === null && (
        <p className={classes.broken}>{documentsTexts.pageUnreachable}</p>
      )}
    </div>
  );
}
