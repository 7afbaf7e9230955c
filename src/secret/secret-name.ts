const SECRET_NAME =
  /(?:authorization|cookie|secret|password|token|credentials?|signature|(?:api|master|access|secret|signing|private)[-_]?key|(?:^|[-_])(?:key|auth|sig|pwd))$/i

/** Whether the name of a header, a parameter or a fact of the log says that its value is a secret. */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name)
