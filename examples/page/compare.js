/* compare.js - two streams side by side. */
"use strict";

function reset_compare() {
}

function begin_compare() {
}

function compare_file() {
}

start();
