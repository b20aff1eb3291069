import * as texts from '#messages/documents.ts';
import type { KeyboardEvent, ReactNode } from 'react';
import { IconButton } from '#web/ui/button.tsx';
import { PlusIcon, SearchIcon } from '#web/ui/icons.tsx';
import { FitPageIcon, FitWidthIcon, MinusIcon, RotateIcon } from './preview-icons.tsx';
import { matches, type Shortcut } from '#web/ui/shortcuts.ts';
import type { Zoom } from './page-layout.ts';
import { VIEWER_KEYS } from './viewer-keys.ts';
import shared from '#web/ui/shared.module.css';
import classes from './viewer.module.css';

/** The zoom factor of one key press or button press. */
const ZOOM_STEP = 1.2;

interface ViewerFrameProps {
  /** the present scale of the document */
  readonly scale: number;
  readonly zoom: Zoom;
  readonly onZoom: (zoom: Zoom) => void;
  readonly onRotate: () => void;
  readonly onFind: () => void;
  /** moves to the next or the previous page, where there are pages */
  readonly onTurn?: (by: 1 | -1) => void;
  /** further tools of the bar, the first ones */
  readonly tools?: ReactNode;
  readonly children: ReactNode;
}

/** A viewer around its document: the bar with its tools, and the keys that do the same. */
export function ViewerFrame(props: ViewerFrameProps) {
  const { scale, zoom, onZoom, onRotate, onFind, onTurn, tools, children } = props;
  const zoomBy = (factor: number) => onZoom(Math.min(8, Math.max(0.1, scale * factor)));
  const percent = `${Math.round(scale * 100)} %`;
  const byKey: Readonly<Record<Shortcut, () => void>> = {
    [VIEWER_KEYS.find]: onFind,
    [VIEWER_KEYS.zoomIn]: () => zoomBy(ZOOM_STEP),
    [VIEWER_KEYS.zoomOut]: () => zoomBy(1 / ZOOM_STEP),
    [VIEWER_KEYS.actualSize]: () => onZoom(1),
    [VIEWER_KEYS.fitWidth]: () => onZoom('width'),
    [VIEWER_KEYS.fitPage]: () => onZoom('page'),
    [VIEWER_KEYS.rotate]: onRotate,
    ...(onTurn && { ArrowRight: () => onTurn(1), ArrowLeft: () => onTurn(-1) }),
  };
  /** Other keys, and typing in a field, are not handled. */
  const onKeyDown = (event: KeyboardEvent) => {
    const isField = event.target instanceof HTMLInputElement;
    const key = Object.keys(byKey).find((keys) => matches(keys, event.nativeEvent));
    if (key === undefined || (isField && key !== VIEWER_KEYS.find)) return;
    event.preventDefault();
    event.stopPropagation();
    byKey[key]?.();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={shared.column} onKeyDown={onKeyDown}>
      <div className={classes.bar} role="toolbar" aria-label={texts.view}>
        {tools}
        <span className={classes.gap} />
        <IconButton aria-label={texts.smaller} onClick={() => zoomBy(1 / ZOOM_STEP)}>
          <MinusIcon size={15} />
        </IconButton>
        <button
          type="button"
          className={classes.percent}
          aria-label={texts.actualSize(percent)}
          onClick={() => onZoom(1)}
        >
          {percent}
        </button>
        <IconButton aria-label={texts.larger} onClick={() => zoomBy(ZOOM_STEP)}>
          <PlusIcon size={15} />
        </IconButton>
        <IconButton
          aria-label={texts.fitWidth}
          aria-pressed={zoom === 'width'}
          onClick={() => onZoom('width')}
        >
          <FitWidthIcon size={15} />
        </IconButton>
        <IconButton
          aria-label={texts.fitPage}
          aria-pressed={zoom === 'page'}
          onClick={() => onZoom('page')}
        >
          <FitPageIcon size={15} />
        </IconButton>
        <IconButton aria-label={texts.rotate} onClick={onRotate}>
          <RotateIcon size={15} />
        </IconButton>
        <IconButton aria-label={texts.search} onClick={onFind}>
          <SearchIcon size={15} />
        </IconButton>
      </div>
      {children}
    </div>
  );
}
