export function isFullDisk(error: Error): boolean {
  return 'code' in error && error.code === 'ENOSPC'
}

export function diskSentence({ message }: Error): string {
  return `cofre: the disk is full: ${message}. Make room beside the databases, and try again`
}
