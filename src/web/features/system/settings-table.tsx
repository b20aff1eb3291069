import * as texts from '#messages/system.ts';
import type { Setting } from '#shared/contract/system-answers.ts';
import table from '#web/ui/plain-table.module.css';
import classes from './system.module.css';

/** The settings in effect; secrets by their names alone. */
export function SettingsTable({ settings }: { readonly settings: readonly Setting[] }) {
  return (
    <div className={table.card}>
      <table className={`${table.table} ${classes.settings}`}>
        <thead>
          <tr>
            <th scope="col">{texts.setting}</th>
            <th scope="col">{texts.value}</th>
            <th scope="col">{texts.source}</th>
          </tr>
        </thead>
        <tbody>
          {settings.map((setting) => (
            <tr key={setting.name}>
              <th scope="row">
                <code>{setting.name}</code>
                <span className={classes.description}>{setting.description}</span>
              </th>
              <td data-muted={setting.value === null || undefined}>{valueOf(setting)}</td>
              <td data-muted={setting.source === 'default' || undefined}>{sourceOf(setting)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
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
