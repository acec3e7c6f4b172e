// Which host names mean this machine itself; anything else may be listened to on the way.

/** Whether a host (a name or an address, brackets allowed) can only be this machine. */
export function loopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase()
  return name === 'localhost' || name === '::1' || /^127(?:\.\d{1,3}){3}$/.test(name)
}
