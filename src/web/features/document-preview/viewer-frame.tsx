import * as texts from '#messages/documents.ts';
import type { ReactNode } from 'react';
import { IconButton } from '#web/ui/button.tsx';
import { PlusIcon, SearchIcon } from '#web/ui/icons.tsx';
import { clampZoom, handleViewerKey, ZOOM_STEP } from './handle-viewer-key.ts';
import { FitPageIcon, FitWidthIcon, MinusIcon, RotateIcon } from './preview-icons.tsx';
import type { Zoom } from './page-layout.ts';
import shared from '#web/ui/shared.module.css';
import classes from './viewer.module.css';

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
  const zoomBy = (factor: number) => onZoom(clampZoom(scale * factor));
  const percent = `${Math.round(scale * 100)} %`;
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={shared.column}
      onKeyDown={(event) =>
        handleViewerKey(event, {
          find: onFind,
          zoomTo: onZoom,
          zoomBy,
          rotate: onRotate,
          turn: onTurn,
        })
      }
    >
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
