import * as texts from '#messages/system.ts';
import type { Setting } from '#shared/contract/system-answers.ts';
import { PlainTable } from '#web/ui/plain-table.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './system.module.css';

/** The effective settings; secrets only by name. */
export function SettingsTable({ settings }: { readonly settings: readonly Setting[] }) {
  return (
    <PlainTable className={classes.settings} headings={[texts.setting, texts.value, texts.source]}>
      {settings.map((setting) => (
        <tr key={setting.name}>
          <th scope="row">
            <code>{setting.name}</code>
            <span className={shared.detail}>{setting.description}</span>
          </th>
          <td data-muted={setting.value === null || undefined}>{valueOf(setting)}</td>
          <td data-muted={setting.source === 'default' || undefined}>{sourceOf(setting)}</td>
        </tr>
      ))}
    </PlainTable>
  );
}

function valueOf({ value, isSecret, source }: Setting): string {
  if (isSecret && source !== 'default') return texts.secret;
  return value === null || value === '' ? texts.notSet : value;
}

function sourceOf({ source, name, variable }: Setting): string {
  switch (source) {
    case 'option':
      return texts.byOption(name);
    case 'environment':
      return texts.byVariable(variable);
    default:
      return texts.byDefault;
  }
}
