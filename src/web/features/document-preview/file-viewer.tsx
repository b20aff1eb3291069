import * as commonTexts from '#messages/common.ts';
import { useStore } from '#web/api/use-store.ts';
import * as texts from '#messages/documents.ts';
import { lazy, type Ref, Suspense, useEffect, useState } from 'react';
import { connection } from '#web/api/connection.ts';
import { hasStatus } from '#web/api/failure.ts';
import { Button } from '#web/ui/button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import type { ViewerHandle } from './move-commands.ts';
import { openFiles, type FileToOpen, type OpenFile } from './open-file.ts';
import { CannotDisplayError, displayProblem } from './page-source.ts';
import type { PageSuggestionFinder, HighlightStore } from './use-value-highlight.ts';
import classes from './viewer.module.css';

const PagedView = lazy(async () => ({ default: (await import('./paged-view.tsx')).PagedView }));
const FlowView = lazy(async () => ({ default: (await import('./flow-view.tsx')).FlowView }));

interface FileViewerProps {
  readonly file: FileToOpen;
  readonly highlightedValue: HighlightStore;
  readonly suggestionFinder: PageSuggestionFinder | null;
  readonly onFrame: (frame: HTMLIFrameElement | null) => void;
  readonly ref?: Ref<ViewerHandle> | undefined;
}

/** One file, which never changes, or why it cannot be displayed. */
export function FileViewer(props: FileViewerProps) {
  const { file, highlightedValue, suggestionFinder, onFrame, ref } = props;
  const [state, setState] = useState<{ open: OpenFile } | { failed: unknown } | null>(null);
  const [request, setRequest] = useState({ file });
  const isUnreachable = useStore(connection) === 'lost';
  useEffect(() => {
    let isMounted = true;
    const shown = openFiles.show(request.file);
    shown.file.then(
      (open) => isMounted && setState({ open }),
      (failed: unknown) => isMounted && setState({ failed }),
    );
    return () => {
      isMounted = false;
      shown.release();
    };
  }, [request]);
  const placeholder = (
    <div className={classes.waiting}>
      <Spinner size={20} label={texts.loading} />
      {isUnreachable && <p role="status">{texts.documentUnreachable}</p>}
    </div>
  );
  if (!state) return placeholder;
  if ('failed' in state) {
    const { failed } = state;
    const reason = hasStatus(failed, 404)
      ? texts.noSuchFile
      : displayProblem(failed, texts.documentNotRead, texts.fileNotShown);
    const retry = () => {
      setState(null);
      setRequest({ file });
    };
    return (
      <div role="alert" className={classes.none}>
        <p>{texts.correctableAnyway(reason)}</p>
        {!(failed instanceof CannotDisplayError) && (
          <Button variant="default" onClick={retry}>
            {commonTexts.tryAgain}
          </Button>
        )}
      </div>
    );
  }
  const { open } = state;
  return (
    <Suspense fallback={placeholder}>
      {open.as === 'pages' ? (
        <PagedView
          ref={ref}
          source={open.source}
          name={file.name}
          highlightedValue={highlightedValue}
          suggestionFinder={suggestionFinder}
        />
      ) : (
        <FlowView ref={ref} file={open} name={file.name} onFrame={onFrame} />
      )}
    </Suspense>
  );
}
