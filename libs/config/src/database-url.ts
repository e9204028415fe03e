export const unreadableUrl = (name: string): string =>
  `${name} can't be read: in its password, / # ? @ : % are written %2F %23 %3F %40 %3A %25 (or leave it out and set PGPASSWORD)`;

/** A password with a `/`, `#` or `?` in it ends the host's part early: what follows, with its `@`, lands somewhere else. */
export function isReadableUrl(text: string): boolean {
  if (!/^postgres(ql)?:\/\//.test(text)) return true;
  try {
    const { hash, pathname, search } = new URL(text);
    return hash === '' && !pathname.includes('@') && !search.includes('@');
  } catch {
    return false;
  }
}
