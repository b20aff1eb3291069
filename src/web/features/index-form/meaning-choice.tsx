import * as texts from '#messages/index-form.ts';
import { useEffect, useId, useRef } from 'react';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { Kbd } from '#web/ui/kbd.tsx';
import { fieldAt } from '#web/fields/index-data.ts';
import { inWords } from '#web/fields/value-text.ts';
import type { PossibleMeaning } from './inserted-text.ts';
import shared from '#web/ui/shared.module.css';
import classes from './input-assist.module.css';
import type { MeaningQuestion } from './use-inserted-text.ts';

interface MeaningChoiceProps {
  readonly question: MeaningQuestion;
  readonly archive: ArchiveDetail;
  /** null: the text is not inserted */
  readonly onAnswer: (meaning: PossibleMeaning | null) => void;
}

/**
 * Asks for the meaning of an ambiguous text from the document: answered by number key, by arrow keys and Enter, or by
 * mouse.
 */
export function MeaningChoice({ question, archive, onAnswer }: MeaningChoiceProps) {
  const { path, written, meanings } = question;
  const field = fieldAt(archive, path)?.definition;
  const list = useRef<HTMLDivElement>(null);
  const headingId = useId();
  const first = (by: number) => {
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
    const at = buttons.findIndex((button) => button === document.activeElement);
    buttons[(at + by + buttons.length) % buttons.length]?.focus();
  };
  useEffect(() => list.current?.querySelector('button')?.focus(), []);
  if (!field) return null;
  return (
    // The keys belong to the group as a whole; each choice is a separate button.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={list}
      role="group"
      data-asks
      aria-labelledby={headingId}
      className={classes.choice}
      onKeyDown={(event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const meaning = /^[1-9]$/.test(event.key) ? meanings[Number(event.key) - 1] : undefined;
        if (meaning) onAnswer(meaning);
        else if (event.key === 'Escape') onAnswer(null);
        else if (event.key === 'ArrowDown') first(1);
        else if (event.key === 'ArrowUp') first(-1);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <p id={headingId} className={classes.asked}>
        {texts.whatDoesItMean({ written, label: field.label })}
      </p>
      {meanings.map((meaning, at) => (
        <button key={meaning.text} type="button" onClick={() => onAnswer(meaning)}>
          <Kbd keys={String(at + 1)} />
          <span className={classes.stored}>{meaning.text}</span>
          <span className={shared.muted}>{inWords(field, meaning.value)}</span>
        </button>
      ))}
      <button type="button" onClick={() => onAnswer(null)}>
        <Kbd keys="Escape" />
        {texts.meansNeither}
      </button>
    </div>
  );
}
