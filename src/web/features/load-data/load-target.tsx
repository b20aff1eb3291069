import * as definitionTexts from '#messages/definitions.ts';
import * as texts from '#messages/load-data.ts';
import type { RefObject } from 'react';
import { MAX_NAME_LENGTH, NAME_PATTERN } from '#shared/rules/names.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { Field } from '#web/ui/field.tsx';
import { Segmented } from '#web/ui/inputs/segmented.tsx';
import { optionsOf } from '#web/ui/inputs/select.tsx';
import { TextInput } from '#web/ui/inputs/text-input.tsx';
import shared from '#web/ui/shared.module.css';
import type { TargetKind } from './draft.ts';
import { ExistingTarget } from './existing-target.tsx';
import classes from './load-data.module.css';

const KINDS = optionsOf(['archive', 'table', 'existing'], texts.targets);

/** Where the rows go. */
export interface LoadTarget {
  readonly kind: TargetKind;
  /** of a new archive or table */
  readonly label: string;
  readonly name: string;
  /** the existing one; null: none is chosen yet */
  readonly collection: CollectionRef | null;
}

interface LoadTargetSectionProps {
  readonly ref: RefObject<HTMLElement | null>;
  readonly username: string;
  readonly target: LoadTarget;
  readonly onChange: (target: LoadTarget) => void;
}

/** Chooses the archive or table of the rows, or names a new one. */
export function LoadTargetSection({ ref, username, target, onChange }: LoadTargetSectionProps) {
  const { kind, label, name, collection } = target;
  return (
    <section className={classes.section} ref={ref}>
      <h2 className={shared.heading}>{texts.target}</h2>
      <Segmented
        aria-label={texts.target}
        options={KINDS}
        value={kind}
        onChange={(next) => onChange({ ...target, kind: next })}
      />
      {kind === 'existing' ? (
        <ExistingTarget
          username={username}
          collection={collection}
          onChange={(next) => onChange({ ...target, collection: next })}
        />
      ) : (
        <div className={classes.fields}>
          <Field
            label={texts.label}
            required
            errors={label.trim() === '' ? [texts.titleMissing] : []}
          >
            {(controlProps) => (
              <TextInput
                {...controlProps}
                value={label}
                maxLength={200}
                onChange={(event) => onChange({ ...target, label: event.currentTarget.value })}
              />
            )}
          </Field>
          <Field
            label={texts.name}
            required
            description={texts.nameHint}
            errors={NAME_PATTERN.test(name) ? [] : [definitionTexts.nameInvalid]}
          >
            {(controlProps) => (
              <TextInput
                {...controlProps}
                value={name}
                maxLength={MAX_NAME_LENGTH}
                onChange={(event) => onChange({ ...target, name: event.currentTarget.value })}
              />
            )}
          </Field>
        </div>
      )}
    </section>
  );
}
