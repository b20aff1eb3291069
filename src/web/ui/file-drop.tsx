import { type DragEvent, useRef, useState } from 'react';
import { Button } from './button.tsx';
import classes from './file-drop.module.css';

interface FileDropProps {
  /** the text of the button that opens the dialog of the browser */
  readonly label: string;
  /** next to the button: what can be chosen, or what is chosen */
  readonly hint: string;
  /** extensions and media types, as in `input` */
  readonly accept?: string;
  /** whether several files can be chosen at once */
  readonly isMultiple?: boolean;
  /** whether choosing a file is the next step */
  readonly isPrimary: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Chooses files; they can also be dropped here. */
export function FileDrop(props: FileDropProps) {
  const { label, hint, accept, isMultiple = false, isPrimary, onFiles } = props;
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const allowDrop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(true);
  };
  const take = (list: FileList | null) => {
    const files = [...(list ?? [])];
    if (files.length > 0) onFiles(isMultiple ? files : files.slice(0, 1));
  };
  return (
    <div
      className={classes.drop}
      data-over={isOver || undefined}
      onDragEnter={allowDrop}
      onDragOver={allowDrop}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        take(event.dataTransfer.files);
      }}
    >
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        multiple={isMultiple}
        onChange={({ currentTarget }) => {
          take(currentTarget.files);
          // Lets the user choose the same file again after correcting it.
          currentTarget.value = '';
        }}
      />
      <Button
        variant={isPrimary ? 'filled' : 'default'}
        data-autofocus
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
      <span className={classes.hint}>{hint}</span>
    </div>
  );
}
