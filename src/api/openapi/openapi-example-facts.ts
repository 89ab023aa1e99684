/** Values that several OpenAPI examples share. */
export const tenantId = 'default'
export const createdAt = 1_790_000_000_000

/** The ids of the example entities, by collection. They also serve as the examples of path parameters. */
export const ids = {
  application: 'x8Qm0uV4bYk2LrTz7cNaP',
  connector: 'p3wD9sGh5jKf',
  delivery: 'msg_2hTb7kQxV9mYwL4n',
  hook: 'r9Ty4uIo1PaSd7FgHj2Kl',
  log: 'n6Vb2cXz8LkJ4hGf0DsAq',
  registrationToken: 'k8Vb2Nm5QwE7rTy1UiO4p',
  invitation: 'q3Wn7Rt9ZxC5vBm1KjH8L',
  resource: 'w2Er6tYu0IoPa4SdFg8Hj',
  role: 'd5Yb8nCx1VmQ0pLkJ4hGf',
  scope: 'p3Wd9sGh5jKfM1xCvB6nQ',
  session: 'u1Ij7mZk5RtX3vBn9QwEe',
  trustedBrowser: 'b4Nq8sLw1XcZ6vRt0YpKe',
  organization: 'a4Lk9sWq2ZxC7vBn3MjHp',
  organizationRole: 'g6Tr1bVn8YqE4wZx5KcLd',
  organizationScope: 'e2Fh7mPs3JxQ9vLt6RbNa',
  passkey: 'kQ7vT2mXb9Rw4LcZ8nJpYtEsHdGfUa1o',
  user: 'k7Rt2mXq9LwZ',
}

export const email = 'ann@example.com'
export const verificationCode = '123456'
export const password = 'correct-horse-7'
export const newPassword = 'battery-staple-8'

/** The secret from RFC 6238, appendix B. */
export const totpSecret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
export const backupCodes = ['7QK3-M0ZX-1B9D-R4TW', 'C8HN-5VAG-XE2P-60JS']
export const factors = {
  totp: { createdAt: 1_767_225_600_000, lastUsedAt: 1_769_904_000_000 },
  backupCodesLeft: 9,
  hasFewBackupCodes: false,
  passkeys: 1,
}
