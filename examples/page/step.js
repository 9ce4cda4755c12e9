/* step.js - runs streams word by word, forwards and backwards. */
"use strict";

const step_keys = {};

function reset_step() {
}

function begin_step() {
}

function step_here() {
    show_view("step");
}
