<?php

// The autoloader that Composer makes from composer.json.
declare(strict_types=1);

spl_autoload_register(static function (string $class): void {
    $file = __DIR__ . '/../src/' . strtr(substr($class, strlen('Cofre\\Merchant\\')), '\\', '/') . '.php';
    if (is_file($file)) {
        require $file;
    }
});
