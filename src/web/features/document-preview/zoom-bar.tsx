import { ActionIcon } from '@mantine/core';
import { shownCount } from '#web/api/reader.ts';
import { FitPageIcon, FitWidthIcon, MinusIcon, PlusIcon, RotateIcon } from '#web/ui/icons.tsx';
import type { Zoom } from './page-layout.ts';
import classes from './viewer.module.css';

interface ZoomBarProps {
  readonly page: number;
  readonly pageCount: number;
  readonly scale: number;
  readonly zoom: Zoom;
  readonly onPage: (page: number) => void;
  readonly onZoom: (zoom: Zoom) => void;
  readonly onZoomBy: (factor: number) => void;
  readonly onRotate: () => void;
}

/** Page, size and turn of what is shown. */
export function ZoomBar(props: ZoomBarProps) {
  const { page, pageCount, scale, zoom, onPage, onZoom, onZoomBy, onRotate } = props;
  return (
    <>
      <label className={classes.pageNumber}>
        <span>Page</span>
        <input
          // Typed numbers count when they are entered.
          key={page}
          type="text"
          inputMode="numeric"
          aria-label={`Page, of ${pageCount}`}
          defaultValue={page}
          onKeyDown={(event) => {
            const to = Number(event.currentTarget.value);
            if (event.key === 'Enter' && Number.isInteger(to)) onPage(to);
          }}
        />
        <span>of {shownCount(pageCount)}</span>
      </label>
      <span className={classes.gap} />
      <ActionIcon aria-label="Smaller" onClick={() => onZoomBy(1 / 1.2)}>
        <MinusIcon size={15} />
      </ActionIcon>
      <span className={classes.percent}>{Math.round(scale * 100)} %</span>
      <ActionIcon aria-label="Larger" onClick={() => onZoomBy(1.2)}>
        <PlusIcon size={15} />
      </ActionIcon>
      <ActionIcon
        aria-label="As wide as the pane"
        aria-pressed={zoom === 'width'}
        onClick={() => onZoom('width')}
      >
        <FitWidthIcon size={15} />
      </ActionIcon>
      <ActionIcon
        aria-label="Whole page"
        aria-pressed={zoom === 'page'}
        onClick={() => onZoom('page')}
      >
        <FitPageIcon size={15} />
      </ActionIcon>
      <ActionIcon aria-label="Turn the view" onClick={onRotate}>
        <RotateIcon size={15} />
      </ActionIcon>
    </>
  );
}
