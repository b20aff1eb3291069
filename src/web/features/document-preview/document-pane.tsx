import * as texts from '#messages/documents.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type Ref, useEffect, useMemo, useRef, useState } from 'react';
import type { RevisionDetail } from '#shared/contract/answers.ts';
import type { Store } from '#web/api/create-store.ts';
import type { PageSuggestion } from '#web/fields/highlighted-value.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { CloseIcon, DocumentIcon } from '#web/ui/icons.tsx';
import { DetachIcon } from './preview-icons.tsx';
import { Kbd } from '#web/ui/kbd.tsx';
import {
  type MoveCommand,
  type ViewerHandle,
  useMoveKeys,
  useViewerHandle,
} from './move-commands.ts';
import { OpenAttachment } from './open-attachment.ts';
import { suggestedTexts } from './page-suggestion.ts';
import { fileOf, filesOf, openFiles, preparePdf, type FileToOpen } from './open-file.ts';
import { FileViewer } from './file-viewer.tsx';
import { useSelectedText } from './use-selected-text.ts';
import { placeInSimilarDocuments } from './similar-documents.queries.ts';
import type { PageSuggestionFinder, HighlightStore } from './use-value-highlight.ts';
import { VIEWER_KEYS } from './viewer-keys.ts';
import shared from '#web/ui/shared.module.css';
import classes from './viewer.module.css';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';

interface DocumentPaneProps {
  /** the archive's table name */
  readonly archive: string;
  readonly revision: RevisionDetail | undefined;
  /** the most likely next revision: its file is opened in advance */
  readonly nextRevision: RevisionDetail | undefined;
  readonly onClose?: (() => void) | undefined;
  /** receives text selected in the document; missing: there is no receiver */
  readonly onInsertText?: ((text: string) => void) | undefined;
  /** the name of the receiving field; null: none was focused yet */
  readonly into?: string | null;
  /** the value that is highlighted in the document */
  readonly highlightedValue?: HighlightStore;
  /** receives the document's text at the place of the highlighted value */
  readonly offered?: Pick<Store<PageSuggestion | null>, 'set'> | undefined;
  /** shows the documents in a separate window */
  readonly onDetach?: (() => void) | undefined;
  readonly ref?: Ref<ViewerHandle> | undefined;
}

/** The documents of a revision next to its form. */
export function DocumentPane(props: DocumentPaneProps) {
  const { archive, revision, nextRevision, onInsertText, highlightedValue = null, ref } = props;
  const pane = useRef<HTMLElement>(null);
  const view = useRef<ViewerHandle>(null);
  const [frame, setFrame] = useState<HTMLIFrameElement | null>(null);
  const { selectedText, insert } = useSelectedText(pane, frame, onInsertText);
  const id = revision?.revisionId;

  const client = useQueryClient();
  const { offered } = props;
  const suggestionFinder = useMemo(
    () =>
      offered && id !== undefined ? createSuggestionFinder(client, archive, id, offered) : null,
    [client, archive, id, offered],
  );
  const { files, file, show, step } = useShownFile(archive, revision);

  useEffect(preparePdf, []);
  useEffect(() => {
    const next = nextRevision && fileOf(archive, nextRevision);
    if (next) openFiles.prefetch(next);
  }, [archive, nextRevision]);

  const move = (command: MoveCommand) => {
    if (command === 'nextFile') step(1);
    else if (command === 'previousFile') step(-1);
    else view.current?.move(command);
  };
  useViewerHandle(ref, move);
  useMoveKeys(move);

  return (
    <section ref={pane} className={`${shared.column} ${classes.pane}`} aria-label={texts.document}>
      <VisuallyHidden as="h2">{texts.document}</VisuallyHidden>
      <PaneHeader file={file} onDetach={props.onDetach} onClose={props.onClose} />
      {(files.length > 1 || file?.bytes) && (
        <FileTabs files={files} shownKey={file?.key} onShow={show} />
      )}
      <div className={classes.body}>
        {revision && !file && <p className={classes.none}>{texts.noFiles}</p>}
        {file && (
          <OpenAttachment value={show}>
            <FileViewer
              ref={view}
              key={file.key}
              file={file}
              highlightedValue={highlightedValue}
              suggestionFinder={suggestionFinder}
              onFrame={setFrame}
            />
          </OpenAttachment>
        )}
      </div>
      {selectedText && (
        <Button
          className={classes.take}
          style={{ left: selectedText.left, top: selectedText.top }}
          // The selection must survive the press.
          onMouseDown={(event) => event.preventDefault()}
          onClick={insert}
          rightSection={<Kbd keys={VIEWER_KEYS.take} />}
        >
          {texts.intoField(props.into ?? '')}
        </Button>
      )}
    </section>
  );
}

interface PaneHeaderProps extends Pick<DocumentPaneProps, 'onDetach' | 'onClose'> {
  readonly file: FileToOpen | undefined;
}

/** The name of the file that is shown, and the buttons of the pane. */
function PaneHeader({ file, onDetach, onClose }: PaneHeaderProps) {
  return (
    <header className={classes.head}>
      <DocumentIcon size={15} />
      {file && !file.bytes ? (
        <a
          href={file.key}
          target="_blank"
          rel="noreferrer"
          className={`${shared.truncated} ${classes.name}`}
        >
          {file.name}
        </a>
      ) : (
        <span className={`${shared.truncated} ${classes.name}`}>
          {file?.name ?? texts.document}
        </span>
      )}
      {onDetach && (
        <IconButton aria-label={texts.openInWindow} onClick={onDetach}>
          <DetachIcon size={15} />
        </IconButton>
      )}
      {onClose && (
        <IconButton aria-label={texts.hide} onClick={onClose}>
          <CloseIcon size={15} />
        </IconButton>
      )}
    </header>
  );
}

/** The files of a revision, and which of them is shown: at first the first one that can be displayed. */
function useShownFile(archive: string, revision: RevisionDetail | undefined) {
  const id = revision?.revisionId;
  const [chosen, setChosen] = useState<{ id: string | undefined; file: FileToOpen } | null>(null);
  const files = useMemo(() => filesOf(archive, revision), [archive, revision]);
  const first = files.find(({ kind }) => kind !== 'none') ?? files[0];
  const file: FileToOpen | undefined = chosen?.id === id ? chosen?.file : first;
  const show = (next: FileToOpen) => setChosen({ id, file: next });
  return {
    files,
    file,
    show,
    step: (by: 1 | -1) => {
      const at = files.findIndex(({ key }) => key === file?.key);
      // From an attachment it returns to the files.
      const to = at < 0 ? first : files[(at + by + files.length) % files.length];
      if (to) show(to);
    },
  };
}

interface FileTabsProps {
  readonly files: readonly FileToOpen[];
  /** of the file that is shown */
  readonly shownKey: string | undefined;
  readonly onShow: (file: FileToOpen) => void;
}

/** The files of the revision. If there are more than fit, the one that is shown is scrolled into view. */
function FileTabs({ files, shownKey, onShow }: FileTabsProps) {
  const tabs = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (shownKey === undefined) return;
    const pressed = tabs.current?.querySelector('[aria-pressed=true]');
    pressed?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [shownKey]);
  return (
    <div ref={tabs} className={classes.strip} role="group" aria-label={texts.files}>
      {files.map((listed) => (
        <button
          key={listed.key}
          type="button"
          aria-pressed={listed.key === shownKey}
          onClick={() => onShow(listed)}
        >
          {listed.name}
        </button>
      ))}
    </div>
  );
}

/** Finds the document's text at the place of a value, as a suggestion. */
function createSuggestionFinder(
  client: QueryClient,
  archive: string,
  revisionId: string,
  offered: Pick<Store<PageSuggestion | null>, 'set'>,
): PageSuggestionFinder {
  return {
    clear: () => offered.set(null),
    async find(pages, { path, field, source }, isOutdated) {
      const inSimilarDocuments = () =>
        placeInSimilarDocuments(client, { archive, field, source, except: revisionId });
      const texts = await suggestedTexts(pages, { label: field.label, inSimilarDocuments });
      if (!isOutdated()) offered.set({ revisionId, path, texts });
    },
  };
}
