import { constants } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type Server, type ServerOptions } from 'node:https'
import { createSecureContext, type TLSSocket } from 'node:tls'
import { LaunchError, type TlsConfig } from '../config/index.js'

/** Sessions that are remembered for clients that come back (spec 1 §6.2). */
const MAX_SESSIONS = 256

/** Makes servers that speak TLS. */
export interface Tls {
  createServer(options: ServerOptions): Server
}

/** Reads the files of the TLS options. Throws a `LaunchError` that names the one that cannot be read. */
export function openTls(config: TlsConfig): Tls {
  const options = readTlsOptions(config)
  const ocspResponse = config.ocspPath === null ? undefined : readPem(config.ocspPath, 'OCSP response')
  const sessions = config.resumption ? new Sessions() : undefined
  return {
    createServer(serverOptions) {
      const server = createServer({ ...options, ...serverOptions })
      attach(server)
      return server
    },
  }

  /** The parts that Node leaves to events. */
  function attach(server: Server): void {
    if (config.clientRootsPath !== null) server.on('secureConnection', refuseWrongCertificate)
    if (ocspResponse) server.on('OCSPRequest', (_certificate, _issuer, respond) => respond(null, ocspResponse))
    sessions?.attach(server)
  }
}

function readTlsOptions(config: TlsConfig): ServerOptions {
  const options: ServerOptions = {
    cert: readPem(config.certPath, 'certificate chain'),
    key: readPem(config.keyPath, 'private key'),
    ...(config.clientRootsPath !== null && {
      ca: readPem(config.clientRootsPath, 'roots of client certificates'),
      requestCert: true,
      rejectUnauthorized: config.requireClientCert,
    }),
    ...(!config.tickets && { secureOptions: constants.SSL_OP_NO_TICKET }),
  }
  checkUsable(options, config)
  return options
}

/** Certificate and key are looked into once more when the server is made; here the operator can be told. */
function checkUsable(options: ServerOptions, { certPath, keyPath }: TlsConfig): void {
  try {
    createSecureContext(options)
  } catch (cause) {
    throw new LaunchError(`The certificate ${certPath} and the key ${keyPath} cannot be used for TLS.`, { cause })
  }
}

function readPem(path: string, what: string): Buffer {
  try {
    return readFileSync(path)
  } catch (cause) {
    throw new LaunchError(`The ${what} ${path} cannot be read.`, { cause })
  }
}

/** A client certificate is optional here, but one that is sent must be good. */
function refuseWrongCertificate(socket: TLSSocket): void {
  const wasSent = Object.keys(socket.getPeerCertificate() ?? {}).length > 0
  if (wasSent && !socket.authorized) socket.destroy()
}

/** The sessions of clients that come back, to whichever address. */
class Sessions {
  private readonly sessions = new Map<string, Buffer>()

  attach(server: Server): void {
    server.on('newSession', (id, session, done) => {
      this.remember(id.toString('hex'), session)
      done()
    })
    server.on('resumeSession', (id, done) => done(null, this.sessions.get(id.toString('hex'))))
  }

  private remember(id: string, session: Buffer): void {
    const [oldest] = this.sessions.keys()
    if (this.sessions.size >= MAX_SESSIONS && oldest !== undefined) this.sessions.delete(oldest)
    this.sessions.set(id, session)
  }
}
