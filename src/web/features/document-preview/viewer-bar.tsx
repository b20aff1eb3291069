import * as texts from '#messages/documents.ts';
import type { ReactNode } from 'react';
import { IconButton } from '#web/ui/button.tsx';
import { PlusIcon, SearchIcon } from '#web/ui/icons.tsx';
import { FitPageIcon, FitWidthIcon, MinusIcon, RotateIcon } from './preview-icons.tsx';
import type { Zoom } from './page-layout.ts';
import { ZOOM_STEP } from './handle-viewer-key.ts';
import classes from './viewer.module.css';

interface PageFieldProps {
  readonly page: number;
  readonly pageCount: number;
  readonly onPage: (page: number) => void;
}

/** The number of the visible page, and the input for another one. */
export function PageField({ page, pageCount, onPage }: PageFieldProps) {
  return (
    <label className={classes.pageNumber}>
      <span>{texts.page}</span>
      <input
        // A typed number takes effect on Enter.
        key={page}
        type="text"
        inputMode="numeric"
        aria-label={texts.pageInput(pageCount)}
        defaultValue={page}
        onKeyDown={(event) => {
          const to = Number(event.currentTarget.value);
          if (event.key === 'Enter' && Number.isInteger(to)) onPage(to);
        }}
      />
      <span>{texts.ofPages(pageCount)}</span>
    </label>
  );
}

interface ViewerBarProps {
  readonly scale: number;
  readonly zoom: Zoom;
  readonly onZoom: (zoom: Zoom) => void;
  readonly onZoomBy: (factor: number) => void;
  readonly onRotate: () => void;
  readonly onFind: () => void;
  readonly children?: ReactNode;
}

/** The tools of a viewer: those given, then zoom, rotation and search. */
export function ViewerBar(props: ViewerBarProps) {
  const { scale, zoom, onZoom, onZoomBy, onRotate, onFind, children } = props;
  const percent = `${Math.round(scale * 100)} %`;
  return (
    <div className={classes.bar} role="toolbar" aria-label={texts.view}>
      {children}
      <span className={classes.gap} />
      <IconButton aria-label={texts.smaller} onClick={() => onZoomBy(1 / ZOOM_STEP)}>
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
      <IconButton aria-label={texts.larger} onClick={() => onZoomBy(ZOOM_STEP)}>
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
  );
}
