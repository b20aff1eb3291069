import { SECRET } from './settings-schemas.ts';

/** An invalid setting; the message names the option and is for the administrator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** The flag of a setting, without `--`. */
export function flagOf(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The environment variable of an option. */
export function variableOf(name: string): string {
  return `INDEXDESK_${name.toUpperCase().replaceAll('-', '_')}`;
}

/** The name of a setting in error messages: its flag and its environment variable. */
export function named(key: PropertyKey | undefined): string {
  const flag = flagOf(String(key));
  const variable = variableOf(flag);
  return SECRET.some((secret) => secret === key) ? variable : `--${flag} (${variable})`;
}
