import { lazy, type Ref, Suspense, useEffect, useState } from 'react';
import { Spinner } from '#web/ui/spinner.tsx';
import type { Mover } from './moves.ts';
import { openFiles, type FileToOpen, type OpenFile } from './open-file.ts';
import { CannotShow } from './page-source.ts';
import classes from './viewer.module.css';

const PagedView = lazy(async () => ({ default: (await import('./paged-view.tsx')).PagedView }));
const FlowView = lazy(async () => ({ default: (await import('./flow-view.tsx')).FlowView }));

interface ShownFileProps {
  readonly file: FileToOpen;
  readonly onFrame: (frame: HTMLIFrameElement | null) => void;
  readonly ref?: Ref<Mover> | undefined;
}

/** One file, or why it cannot be shown. */
export function ShownFile({ file, onFrame, ref }: ShownFileProps) {
  const [state, setState] = useState<{ open: OpenFile } | { failed: string } | null>(null);
  useEffect(() => {
    let here = true;
    const shown = openFiles.show(file);
    shown.file.then(
      (open) => here && setState({ open }),
      (error: unknown) =>
        here &&
        setState({
          failed: error instanceof CannotShow ? error.message : 'This file cannot be shown.',
        }),
    );
    return () => {
      here = false;
      shown.release();
    };
  }, [file]);
  const waiting = (
    <div className={classes.waiting}>
      <Spinner size={20} label="The document is read" />
    </div>
  );
  if (!state) return waiting;
  if ('failed' in state) {
    return (
      <p role="alert" className={classes.none}>
        {state.failed} Its index data can be corrected all the same.
      </p>
    );
  }
  const { open } = state;
  return (
    <Suspense fallback={waiting}>
      {open.as === 'pages' ? (
        <PagedView ref={ref} source={open.source} name={file.name} />
      ) : (
        <FlowView ref={ref} file={open} name={file.name} onFrame={onFrame} />
      )}
    </Suspense>
  );
}
