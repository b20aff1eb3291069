import * as texts from '#messages/lists.ts';
import { isBoolean, isText } from '#shared/values/registry.ts';
import { CloseIcon } from '../ui/icons.tsx';
import { formatFieldValue } from '../fields/typed-text.ts';
import { splitList } from '#shared/rules/lists.ts';
import type { ListView } from '#web/api/list-view.ts';
import { periodWords } from '#web/api/relative-dates.ts';
import { IconButton } from '../ui/button.tsx';
import { shownValue } from '../fields/value-text.ts';
import { fieldNamed, type ListField } from './list-field.ts';
import classes from './list-toolbar.module.css';
import { VisuallyHidden } from '../ui/visually-hidden.tsx';
import { type Condition, groupConditions, testWords, toSteps } from './operators.ts';

const ALTERNATIVES = new Intl.ListFormat('en', { type: 'disjunction' });

interface FilterChipsProps {
  /** what the list can be filtered by */
  readonly fields: readonly ListField[];
  readonly view: ListView;
  readonly onViewChange: (view: ListView) => void;
  /** opens the conditions for editing */
  readonly onEdit: () => void;
}

/** What narrows the list now, each condition with a way to remove it; nothing where all is shown. */
export function FilterChips({ fields, view, onViewChange, onEdit }: FilterChipsProps) {
  const { where = [], q = '' } = view;
  if (where.length === 0) return null;
  return (
    <section className={classes.chips} aria-label={texts.filteredBy}>
      <VisuallyHidden as="h2">{texts.filteredBy}</VisuallyHidden>
      <span className={classes.where}>{texts.only}</span>
      {groupConditions(where).map((group) => {
        const words = ALTERNATIVES.format(
          toSteps(group).map(({ condition }) => conditionWords(fields, condition)),
        );
        return (
          <span key={words} className={classes.chip}>
            <button type="button" className={classes.chipWords} title={words} onClick={onEdit}>
              {words}
            </button>
            <IconButton
              size={20}
              aria-label={texts.removeFilter(words)}
              onClick={() =>
                onViewChange({ ...view, where: where.filter((one) => !group.includes(one)) })
              }
            >
              <CloseIcon size={12} />
            </IconButton>
          </span>
        );
      })}
      {q !== '' && (
        <span className={classes.chip}>
          <span className={classes.chipWords}>{texts.contains(q)}</span>
          <IconButton
            size={20}
            aria-label={texts.removeSearch(q)}
            onClick={() => onViewChange({ ...view, q: '' })}
          >
            <CloseIcon size={12} />
          </IconButton>
        </span>
      )}
    </section>
  );
}

/** A condition as a sentence without its end: `Currency is CHF`. */
function conditionWords(fields: readonly ListField[], { field: name, test, value }: Condition) {
  const field = fieldNamed(fields, name);
  if (!field) return [name, test, value].filter((part) => part !== null).join(' ');
  const said = `${field.label} ${testWords(field, test)}`;
  if (value === null) return said;
  const shown = (text: string) => formatFieldValue({ type: field.type, options: null }, text) ?? '';
  if (test === 'in') return `${said} ${splitList(value).map(shown).join(', ')}`;
  if (test === 'within') return `${said} “${periodWords(value)}”`;
  if (test === 'between') return `${said} ${splitList(value).map(shown).join(' and ')}`;
  if (isBoolean(field)) return `${said} ${shownValue(field, value === 'true')}`;
  return `${said} ${isText(field) ? `“${value}”` : shown(value)}`;
}
