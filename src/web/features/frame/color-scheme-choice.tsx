import { ActionIcon, type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import { MoonIcon, ScreenIcon, SunIcon } from '#web/ui/icons.tsx';

const SCHEMES = {
  light: { Icon: SunIcon, name: 'light', next: 'dark' },
  dark: { Icon: MoonIcon, name: 'dark', next: 'auto' },
  auto: { Icon: ScreenIcon, name: 'as the system', next: 'light' },
} as const satisfies Record<
  MantineColorScheme,
  { readonly Icon: unknown; readonly name: string; readonly next: MantineColorScheme }
>;

/** Light, dark or as the system has it; each press takes the next. */
export function ColorSchemeChoice() {
  // Keeping transitions: switching them off for the moment would need a style tag.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const { Icon, name, next } = SCHEMES[colorScheme];
  const label = `Colours: ${name}. Change to ${SCHEMES[next].name}`;
  return (
    <ActionIcon aria-label={label} title={label} onClick={() => setColorScheme(next)}>
      <Icon size={16} />
    </ActionIcon>
  );
}
