import * as texts from '#messages/imports.ts';
import { type DragEvent, useRef, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import classes from './import-dialog.module.css';

interface ChooseFileProps {
  readonly name: string | null;
  readonly onFile: (file: File) => void;
}

/** Chooses the file to import; a file can also be dropped here. */
export function ChooseFile({ name, onFile }: ChooseFileProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const allowDrop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(true);
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
        const [file] = event.dataTransfer.files;
        if (file) onFile(file);
      }}
    >
      <input
        ref={input}
        type="file"
        hidden
        accept=".xlsx,.csv,.txt,.tsv"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          // The same file can be chosen again after it was corrected.
          currentTarget.value = '';
          if (file) onFile(file);
        }}
      />
      <Button
        variant={name === null ? 'filled' : 'default'}
        data-autofocus
        onClick={() => input.current?.click()}
      >
        {name === null ? texts.chooseFile : texts.otherFile}
      </Button>
      <span className={classes.quiet}>{name ?? texts.fileDescription}</span>
    </div>
  );
}
