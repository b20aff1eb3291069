export const labelAndName = ({ label, name }: { label: string; name: string }) =>
  `${label} (${name})`;
