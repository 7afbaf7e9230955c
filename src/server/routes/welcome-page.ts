import { INTERFACE_VERSION, packageVersion } from '../../config/index.js'

/** The page of `GET /` in development: nothing in it comes from elsewhere. */
export function welcomePage(): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Findling</title>
<style>
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
main { max-width: 40rem; margin: 10vh auto; padding: 0 1rem }
</style>
</head>
<body>
<main>
<h1>Findling</h1>
<p>A search server: JSON documents in over HTTP, ranked hits out. It is running.</p>
<p>Version ${packageVersion()}, interface ${INTERFACE_VERSION}.</p>
<ul>
<li><a href="/health">Health</a></li>
<li><a href="/version">Version</a></li>
<li><a href="/stats">Statistics</a></li>
<li><a href="/indexes">Indexes</a></li>
</ul>
</main>
</body>
</html>
`
}
