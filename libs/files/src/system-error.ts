/** The code of a failed system call, such as ENOENT. It asks for no class: errors may come from another realm. */
export function systemErrorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('syscall' in error) || !('code' in error)) return undefined;
  return String(error.code);
}

/** Whether a system call failed because there is no such file or folder. */
export const isMissing = (error: unknown): boolean => systemErrorCode(error) === 'ENOENT';
