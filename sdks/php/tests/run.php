<?php

// Runs the tests: `php tests/run.php`. Those against a sandbox need COFRE_API, COFRE_STORE_ID and COFRE_SECRET.
declare(strict_types=1);

namespace Cofre\Merchant\Tests;

set_error_handler(static function (int $level, string $message, string $file, int $line): never {
    throw new \ErrorException($message, 0, $level, $file, $line);
});

require __DIR__ . '/autoload.php';

/** Runs one promise, which fails if it throws. */
function test(string $promise, \Closure $run): void
{
    static $failed = 0;
    try {
        $run();
        echo "ok - $promise\n";
    } catch (\Throwable $failure) {
        echo "not ok - $promise\n", preg_replace('/^/m', '    ', (string) $failure), "\n";
        if ($failed++ === 0) {
            register_shutdown_function(static fn () => exit(1));
        }
    }
}

function same(mixed $actual, mixed $expected, string $of = ''): void
{
    if ($actual !== $expected) {
        throw new \UnexpectedValueException("$of: expected " . var_export($expected, true) . ', got ' . var_export($actual, true));
    }
}

/** @param class-string<\Throwable> $class */
function thrown(string $class, \Closure $run): \Throwable
{
    try {
        $run();
    } catch (\Throwable $failure) {
        same($failure::class, $class, $failure->getMessage());
        return $failure;
    }
    throw new \UnexpectedValueException("$class was not thrown");
}

require __DIR__ . '/vectors.php';
require __DIR__ . '/events.php';
require __DIR__ . '/wrong-calls.php';
if (getenv('COFRE_API') === false) {
    echo "# skipped, for no sandbox runs: sandbox.php\n";
} else {
    require __DIR__ . '/sandbox.php';
}
