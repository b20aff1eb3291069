import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { readStoredText, storeText } from '#web/api/browser-storage.ts';
import classes from './split-pane.module.css';

interface SplitPaneProps {
  /** the key of the stored size in this browser */
  readonly name: string;
  /** what the separator resizes, for screen readers: “Width of the form” */
  readonly label: string;
  readonly start: ReactNode;
  /** the pane with a fixed width; null: the start pane fills the space */
  readonly end: ReactNode | null;
  /** pixels of the end pane */
  readonly initial?: number;
  readonly min?: number;
  readonly max?: number;
}

const STEP = 24;

/**
 * Two panes side by side; the separator is dragged, or moved by arrow keys. On narrow screens the end pane covers the
 * start.
 */
export function SplitPane(props: SplitPaneProps) {
  const { name, label, start, end, initial = 420, min = 280, max = 900 } = props;
  const key = `indexdesk-pane-${name}`;
  const [size, setSize] = useState(() => {
    const stored = Number(readStoredText(key) ?? initial);
    return clamp(Number.isFinite(stored) ? stored : initial, min, max);
  });
  const frame = useRef<HTMLDivElement>(null);
  const dragging = useRef(false);

  const resize = (next: number) => {
    const room = frame.current?.clientWidth ?? max;
    const fitting = clamp(next, min, Math.max(min, Math.min(max, room - min)));
    setSize(fitting);
    storeText(key, String(Math.round(fitting)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowLeft: size + STEP, ArrowRight: size - STEP, Home: max, End: min }[
      event.key
    ];
    if (next === undefined) return;
    event.preventDefault();
    resize(next);
  };
  const onPointerMove = (event: PointerEvent) => {
    const right = frame.current?.getBoundingClientRect().right;
    if (dragging.current && right !== undefined) resize(right - event.clientX);
  };

  return (
    <div ref={frame} className={classes.split} data-covers={end !== null || undefined}>
      <div className={classes.start}>{start}</div>
      {end !== null && (
        <>
          {/* A focusable separator is ARIA's own pattern for resizing panes (window splitter). */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
          <hr
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            tabIndex={0}
            aria-label={label}
            aria-orientation="vertical"
            aria-valuenow={Math.round(size)}
            aria-valuemin={min}
            aria-valuemax={max}
            className={classes.separator}
            onKeyDown={onKeyDown}
            onPointerDown={(event) => {
              dragging.current = true;
              event.currentTarget.setPointerCapture(event.pointerId);
            }}
            onPointerMove={onPointerMove}
            onPointerUp={() => {
              dragging.current = false;
            }}
            onDoubleClick={() => resize(initial)}
          />
          <div className={classes.end} style={{ width: size }}>
            {end}
          </div>
        </>
      )}
    </div>
  );
}

function clamp(size: number, min: number, max: number): number {
  return Math.min(Math.max(size, min), max);
}
